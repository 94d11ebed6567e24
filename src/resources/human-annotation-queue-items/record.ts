import { asIs, json, nullable, number, text, time } from '../../storage/column.ts';
import { table } from '../../storage/record.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { QueueItem } from './contract.ts';

/** Rows with all their columns; those of the draw are not shown. */
export const queueItemRows = table('annotation_queue_item', 'queue item', {
  id: text,
  queueId: text,
  traceId: traceReference,
  selection: asIs<QueueItem['selection']>(),
  completedAt: nullable(time),
  expiresAt: time,
  createdAt: time,
  drawnAt: nullable(time),
  place: nullable(number),
  weight: nullable(number),
  drawId: nullable(text),
  evalDefinitionId: nullable(text),
});

export const queueItems = queueItemRows.omit('drawnAt', 'place', 'weight', 'drawId', 'evalDefinitionId');

export const draws = table('annotation_draw', 'draw', {
  id: text,
  queueId: text,
  evalDefinitionId: nullable(text),
  filter: json<object>(),
  population: number,
  offered: number,
  drawn: number,
  createdAt: time,
});
