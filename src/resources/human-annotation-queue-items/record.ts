import { asIs, bytes, flag, json, nullable, number, text, time } from '../../storage/column.ts';
import { table } from '../../storage/record.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { QueueItem, ReviewVerdict } from './contract.ts';

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
  reviews: number,
  isDisputed: flag,
  leasedUntil: nullable(number),
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

/** Reservations and reviews, one for each item and person. */
export const reviews = table('annotation_review', 'review', {
  id: text,
  itemId: text,
  queueId: text,
  traceId: bytes,
  person: text,
  state: asIs<'LEASED' | 'JUDGED' | 'SKIPPED' | 'UNCLEAR' | 'EXCLUDED'>(),
  token: nullable(text),
  startedAt: number,
  expiresAt: nullable(number),
  endedAt: nullable(number),
  annotationId: nullable(text),
  verdicts: nullable(json<Record<string, ReviewVerdict>>()),
});
