import type { OperationNotes } from './note.ts';
import { AT, dates, ID, owner, page } from './values.ts';

const queue = {
  id: ID.queue,
  ...owner,
  ...dates,
  topicId: ID.topic,
  title: 'Returns, weekly',
  assigneeId: 'ada',
  pendingCount: 1,
  completedCount: 0,
};
const item = {
  id: ID.queueItem,
  ...owner,
  queueId: ID.queue,
  traceId: ID.trace,
  selection: 'RANDOM',
  completedAt: null,
  expiresAt: '2026-05-01T12:00:00.000Z',
  createdAt: AT,
};
const judgement = { traceId: ID.trace, verdict: true, source: 'REVIEW_QUEUE', queueItemId: ID.queueItem };
const annotation = {
  id: ID.annotation,
  ...owner,
  ...dates,
  ...judgement,
  critique: null,
  annotatorId: 'ada',
};

/** Human annotation. */
export const peopleNotes: OperationNotes = {
  'POST /v0/human-annotation-queues': {
    id: 'createAnnotationQueue',
    body: { title: 'Returns, weekly', topicId: ID.topic, assigneeId: 'ada' },
    answer: { data: { ...queue, pendingCount: 0 } },
  },
  'GET /v0/human-annotation-queues': { id: 'listAnnotationQueues', answer: page([queue]) },
  'GET /v0/human-annotation-queues/{id}': { id: 'getAnnotationQueue', answer: { data: queue } },
  'PUT /v0/human-annotation-queues/{id}': {
    id: 'updateAnnotationQueue',
    body: { assigneeId: 'ada' },
    answer: { data: queue },
  },

  'POST /v0/human-annotation-queue-items': {
    id: 'createQueueItem',
    body: { queueId: ID.queue, traceId: ID.trace },
    answer: { data: { ...item, selection: 'MANUAL' } },
  },
  'POST /v0/human-annotation-queue-items/draw': {
    id: 'drawQueueItems',
    body: { queueId: ID.queue, count: 1 },
    answer: { data: [item] },
  },
  'GET /v0/human-annotation-queue-items': { id: 'listQueueItems', answer: page([item]) },
  'GET /v0/human-annotation-queue-items/{id}': { id: 'getQueueItem', answer: { data: item } },

  'POST /v0/human-annotations': {
    id: 'createAnnotation',
    body: { ...judgement, annotatorId: 'ada' },
    answer: { data: annotation },
  },
  'GET /v0/human-annotations': { id: 'listAnnotations', answer: page([annotation]) },
  'GET /v0/human-annotations/{id}': { id: 'getAnnotation', answer: { data: annotation } },
  'PUT /v0/human-annotations/{id}': {
    id: 'updateAnnotation',
    body: { verdict: true },
    answer: { data: annotation },
  },
  'DELETE /v0/human-annotations/{id}': { id: 'deleteAnnotation' },
};
