import type { FieldsOf } from '../../storage/record.ts';
import type { QueueItem } from './contract.ts';
import type { queueItems } from './record.ts';

type ItemRow = FieldsOf<typeof queueItems>;

/** Returns an item as the API shows it at `now`. */
export function shownItem<T extends ItemRow>(
  { isDisputed, leasedUntil, ...item }: T,
  now: number,
): Omit<T, 'isDisputed' | 'leasedUntil'> & Pick<QueueItem, 'status'> {
  return { ...item, status: statusOf({ isDisputed, leasedUntil, ...item }, now) };
}

function statusOf(
  {
    completedAt,
    isDisputed,
    reviews,
    leasedUntil,
  }: Pick<ItemRow, 'completedAt' | 'isDisputed' | 'reviews' | 'leasedUntil'>,
  now: number,
): QueueItem['status'] {
  if (completedAt !== null) return 'COMPLETED';
  if (isDisputed) return 'DISPUTED';
  if (reviews > 0) return 'PARTIAL';
  return leasedUntil !== null && leasedUntil > now ? 'LEASED' : 'OPEN';
}
