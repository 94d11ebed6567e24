import type { IssueSuggestions } from '../../api/generated/schema.ts';
import { formatMoney, formatSum, formatWhole } from '../format/number.ts';

/** Expected tokens and cost of a call of the model. */
export type ModelCost = IssueSuggestions['expected'];

const NO_MODEL =
  'No judge model is configured, so nothing can be suggested. An administrator sets TOUCHSTONE_JUDGE_MODEL.';

/** Returns the price of a call as a button shows it. */
export const priceOf = ({ cost }: ModelCost): string =>
  cost === null ? 'price unknown' : `about ${cost >= 0.01 ? formatSum(cost) : formatMoney(cost)}`;

/** Returns why the model cannot be asked; null if it can. */
export const modelProblem = ({ model, leftToday }: ModelCost): string | null =>
  model === null
    ? NO_MODEL
    : leftToday === 0
      ? 'The limit of today is reached. It resets at 00:00 UTC.'
      : null;

/** Returns what a price is based on, and what is left of the limit of today. */
export function costBasis({ model, calls, inputTokens, outputTokens, leftToday }: ModelCost): string {
  const left = leftToday === null ? '' : `, ${formatSum(leftToday)} left today`;
  const times = calls === 1 ? '1 call' : `${formatWhole(calls)} calls`;
  return `${times} of “${model}”, ${formatWhole(inputTokens + outputTokens)} tokens${left}`;
}

/** Returns what a call has cost. */
export const spentText = ({ cost }: IssueSuggestions['spent']): string =>
  cost === null
    ? 'The price is unknown. Only the tokens are stored.'
    : `It cost ${formatMoney(cost)}. Only the cost is stored.`;
