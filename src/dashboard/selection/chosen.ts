import type { CreateQueueItemsBody, SelectionDone } from '../../api/generated/schema.ts';
import { formatWhole } from '../format/number.ts';

/** Rows to act on, as the API takes them: ids, or the filter of all rows that match. */
export type SelectedRows = CreateQueueItemsBody['selection'];

/** Rows that the API acts on at once. */
export const MAX_MATCHING = 10_000;

const REASONS: Readonly<Record<SelectionDone['skipped'][number]['reason'], string>> = {
  NOT_FOUND: 'deleted in the meantime',
  NO_TRACE: 'without a trace',
  NO_INPUT: 'without an input',
  NO_EXAMPLE: 'without an active example',
  ALREADY: 'there already',
  INVALID: 'with an input that the task does not accept',
};

/** Says what was done with a selection: how many rows, which were left out and why, and whether more or fewer match than were shown. */
export function doneText(
  { matched, done, skippedCount, skipped, isComplete }: SelectionDone,
  { did, shown }: { did: string; shown: number },
): string {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(REASONS[reason], (counts.get(REASONS[reason]) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) =>
    skipped.length === skippedCount ? `${formatWhole(count)} ${reason}` : reason,
  );
  const left = skippedCount === 0 ? '' : `; ${formatWhole(skippedCount)} left out: ${reasons.join(', ')}`;
  const changed =
    matched === shown ? '' : `. ${formatWhole(matched)} matched, ${formatWhole(shown)} were shown`;
  const partial = isComplete ? '' : '. Older traces were not searched';
  return `${formatWhole(done)} ${did}${left}${changed}${partial}`;
}
