/** The line at the end of a finished turn: what it took, as far as somebody said so. No row: nothing is decided by it. */
import {html, nothing} from 'lit';
import type {TurnAnchor} from '../../anchor/index.js';
import {duration} from '../duration.js';
import type {HermesTurn} from '../hermes-turn.js';
import type {RowView} from '../rows.js';
import {numeral} from '../language.js';
import {spoken} from '../spoken.js';
import {dress} from './action-styles.js';
import {usageWords} from './words.js';

export function usageLine(
  host: HermesTurn,
  {usage, startedAt, completedAt}: TurnAnchor,
  {strings, prose}: RowView,
) {
  const {language} = prose;
  const words = spoken(usageWords, strings.usage);
  const {inputTokens, outputTokens, cacheHitRate, cost, used, size} = usage ?? {};
  const took = startedAt === null || completedAt === null ? null : completedAt - startedAt;
  const facts = [
    took === null || took < 0 ? null : words.took(duration(took, language)),
    inputTokens ? words.read(numeral(inputTokens, language)) : null,
    cacheHitRate ? words.cached(percent(cacheHitRate, language)) : null,
    outputTokens ? words.written(numeral(outputTokens, language)) : null,
    used && size ? words.context(percent(used / size, language)) : null,
    cost ? words.cost(price(cost, language)) : null,
  ].filter((fact) => fact !== null);
  dress(host.renderRoot.getRootNode());
  return facts.length > 0
    ? html`<div class="row usage" part="usage">
        ${facts.map((fact) => html`<span dir="auto">${fact}</span> `)}
      </div>`
    : nothing;
}

const percent = (value: number, language?: string) =>
  value.toLocaleString(language, {style: 'percent', maximumFractionDigits: 0});
/** Producers count in dollars. */
const price = (value: number, language?: string) =>
  value.toLocaleString(language, {style: 'currency', currency: 'USD', maximumSignificantDigits: 2});
