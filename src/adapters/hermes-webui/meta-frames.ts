/** Frames of Hermes WebUI that are never rows: usage, title, todo list, context, the session itself. */
import {firstString, ownNumber, ownObject} from '../../anchor/json.js';
import {sanitize} from '../../anchor/sanitize.js';
import type {JsonObject} from '../../anchor/json.js';
import {millis, type FrameHandler} from '../frame-head.js';
import {readPlan} from '../plan-entries.js';
import {readUsage} from '../usage-facts.js';
import {readSession} from './settled.js';

// Twice a second and after every tool; most say nothing of usage.
export const metered: FrameHandler = (data, head) => ({
  type: 'meta',
  usage: readUsage(ownObject(data, 'usage')),
  ...head,
});

export const usageCounted: FrameHandler = (data, head) => ({
  type: 'meta',
  usage: readUsage(ownObject(data, '_turnUsage') ?? ownObject(data, 'usage') ?? data),
  ...head,
});

export const titled: FrameHandler = (data, head) => ({
  type: 'meta',
  title: firstString(data, 'title'),
  ...head,
});

export const planChanged: FrameHandler = (data, head) => ({
  ...head,
  at: head.at ?? millis(ownNumber(data, 'ts')),
  type: 'meta',
  plan: readPlan(data, 'todos'),
});

export const contextKnown: FrameHandler = (data, head) => ({
  type: 'meta',
  context: sanitize(ownObject(data, 'prefill')) as JsonObject | null,
  ...head,
});

export const sessionSeen: FrameHandler = (data, head) => {
  const session = ownObject(data, 'session');
  return {...head, type: 'meta', session: session && readSession(session)};
};
