/** Which of a session's turns a request asks for: `turn_from`, `turn_before` (places, counted from 0), `turn_limit`. */
import {GatewayError} from '../gateway-error.js';
import type {TurnWindow} from '../sessions/session-service.js';

/** All where nothing is said. Refuses what is no count. */
export function turnWindowOf(request: Request): TurnWindow {
  const {searchParams} = new URL(request.url);
  const count = (name: string) => {
    const text = searchParams.get(name);
    if (text === null) return undefined;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new GatewayError('invalid-request', `${name} has to be a whole number, 0 or more.`);
  };
  return {from: count('turn_from'), before: count('turn_before'), limit: count('turn_limit')};
}
