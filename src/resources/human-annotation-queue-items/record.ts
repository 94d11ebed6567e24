import { asIs, nullable, text, time } from '../../storage/column.ts';
import { table } from '../../storage/record.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { QueueItem } from './contract.ts';

export const queueItems = table('annotation_queue_item', 'queue item', {
  id: text,
  queueId: text,
  traceId: traceReference,
  selection: asIs<QueueItem['selection']>(),
  completedAt: nullable(time),
  expiresAt: time,
  createdAt: time,
});
