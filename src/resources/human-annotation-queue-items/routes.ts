import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AT, ID, owner } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { createDrawnItems, createQueueItem, drawTraces, getQueueItem, listQueueItems } from './calls.ts';
import { reviewRoutes } from './review-routes.ts';
import { createQueueItemBody, drawBody, type QueueItem, queueItem, queueItemsQuery } from './contract.ts';

type AnnotationQueueItemDeps = StoreCalls;

const exampleItem: QueueItem = {
  id: ID.queueItem,
  ...owner,
  queueId: ID.queue,
  traceId: ID.trace,
  selection: 'RANDOM',
  status: 'OPEN',
  reviews: 0,
  completedAt: null,
  expiresAt: '2026-05-01T12:00:00.000Z',
  createdAt: AT,
};

export function annotationQueueItemRoutes({ read, write, now }: AnnotationQueueItemDeps): Route[] {
  const items = recordRoutes({
    path: '/v0/human-annotation-queue-items',
    group: 'Human annotation',
    record: queueItem,
    example: exampleItem,
    now,
  });
  return [
    items.create({
      operationId: 'createQueueItem',
      summary: 'Add a trace to an annotation queue',
      description: 'Rejected with 409 while the trace is pending in the same queue.',
      body: createQueueItemBody,
      example: {
        body: { queueId: ID.queue, traceId: ID.trace },
        response: { ...exampleItem, selection: 'MANUAL' },
      },
      errors: ['not_found', 'conflict'],
      handler: ({ fields: item, ...args }) => write(createQueueItem, { ...args, item }),
    }),
    items.list({
      operationId: 'listQueueItems',
      summary: 'List annotation queue items',
      description: 'Ordered by `completedAt`, items that are not completed come last in both directions.',
      query: queueItemsQuery,
      handler: (args) => read(listQueueItems, { ...args, now: now() }),
    }),
    items.get({
      operationId: 'getQueueItem',
      summary: 'Get an annotation queue item',
      handler: (args) => read(getQueueItem, { ...args, now: now() }),
    }),
    drawRoute({ read, write, now }),
    ...reviewRoutes({ read, write, now, example: exampleItem }),
  ];
}

const drawRoute = ({ read, write, now }: AnnotationQueueItemDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/human-annotation-queue-items/draw',
    operationId: 'drawQueueItems',
    group: 'Human annotation',
    summary: 'Draw traces for an annotation queue',
    description:
      'Adds traces that have not been drawn before, for this queue or (unless `allowRepeats`) another one, each with the same probability; draws that name another definition do not matter; traces of samples are excluded. Dates, a task, a run or a run set that leave out traces make it a draw of a part: its items are `RANDOM_PART` and count for no gate. If a randomly drawn trace is already in the queue for another reason and has not expired, its item becomes `RANDOM`; a draw of `FAILED` excludes all traces that were ever in the queue. Returns the items: fewer than `count` if there are no more such traces.',
    scope: 'write',
    body: drawBody,
    response: z.object({ data: z.array(queueItem) }),
    example: { body: { queueId: ID.queue, count: 1 }, response: { data: [exampleItem] } },
    status: 201,
    errors: ['not_found', 'unavailable'],
    handler: async ({ principal, body: draw }) => {
      const { traces, ...found } = await read(drawTraces, { application: principal.application, draw });
      const drawn = traces.map((trace) => ({ id: randomUUID(), ...trace }));
      const items = { draw, drawId: randomUUID(), ...found, drawn };
      return { data: await write(createDrawnItems, { owner: ownerOf(principal), items, at: now() }) };
    },
  });
