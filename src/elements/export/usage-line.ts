/** The line at the end of a finished turn: what it took, as far as somebody said so. No row: nothing is decided by it. */
import {html, nothing} from 'lit';
import type {TurnAnchor} from '../../anchor/index.js';
import {duration} from '../duration.js';
import type {HermesTurn} from '../hermes-turn.js';
import type {RowView} from '../rows.js';
import {spoken} from '../spoken.js';
import {dress} from './action-styles.js';
import {usageWords} from './words.js';

export function usageLine(host: HermesTurn, {usage, startedAt, completedAt}: TurnAnchor, {strings}: RowView) {
  const words = spoken(usageWords, strings.usage);
  const {inputTokens, outputTokens, cacheHitRate, cost, used, size} = usage ?? {};
  const took = startedAt === null || completedAt === null ? null : completedAt - startedAt;
  const facts = [
    took === null || took < 0 ? null : words.took(duration(took)),
    inputTokens ? words.read(number(inputTokens)) : null,
    cacheHitRate ? words.cached(percent(cacheHitRate)) : null,
    outputTokens ? words.written(number(outputTokens)) : null,
    used && size ? words.context(percent(used / size)) : null,
    cost ? words.cost(price(cost)) : null,
  ].filter((fact) => fact !== null);
  dress(host.renderRoot.getRootNode());
  return facts.length > 0
    ? html`<div class="row usage" part="usage">
        ${facts.map((fact) => html`<span dir="auto">${fact}</span> `)}
      </div>`
    : nothing;
}

const number = (value: number) => value.toLocaleString();
const percent = (value: number) =>
  value.toLocaleString(undefined, {style: 'percent', maximumFractionDigits: 0});
/** Producers count in dollars. */
const price = (value: number) =>
  value.toLocaleString(undefined, {style: 'currency', currency: 'USD', maximumSignificantDigits: 2});
