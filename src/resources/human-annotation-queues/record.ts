import { asIs, flag, json, nullable, number, text, time } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { Criterion, Disagreement } from './contract.ts';

export const queues = versionedRecord('annotation_queue', 'annotation queue', {
  topicId: nullable(text),
  title: text,
  assigneeId: nullable(text),
  reviewsPerItem: number,
  isBlind: flag,
  criteria: json<Criterion[]>(),
  reviewerIds: json<string[]>(),
  documentIds: json<string[]>(),
  disagreement: asIs<Disagreement>(),
  dueAt: nullable(time),
});
