import { randomUUID } from 'node:crypto';
import type {
  CreateAnnotationBody,
  CreateQueueItemBody,
  DrawQueueItemsBody,
  QueueItem,
} from '../../src/api/generated/schema.ts';
import type { TestServer } from '../support/server.ts';

export type Headers = Readonly<Record<string, string>>;

export const PAST = '2020-01-01T00:00:00.000Z';
export const CRITIQUE = 'The answer names a wrong price.';

/** Calls that make what human annotation is about, as one application. */
export function annotating(server: TestServer, headers: Headers = {}) {
  const queue = async (more: object = {}) => {
    const body = { title: 'Queue', ...more };
    return (await server.ok('POST', '/v0/human-annotation-queues', { body, headers })).data;
  };
  const item = async (given: object) => {
    const body = given as CreateQueueItemBody;
    return (await server.ok('POST', '/v0/human-annotation-queue-items', { body, headers })).data;
  };
  const annotation = async (more: object) => {
    const body = { verdict: true, source: 'TRACE_PAGE', ...more } as CreateAnnotationBody;
    return (await server.ok('POST', '/v0/human-annotations', { body, headers })).data;
  };
  return {
    queue,
    item,
    annotation,
    draw: async (body: DrawQueueItemsBody) =>
      (await server.ok('POST', '/v0/human-annotation-queue-items/draw', { body, headers })).data,
    /** Completes the item by a verdict. */
    complete: ({ id, traceId }: QueueItem) =>
      annotation({ traceId, source: 'REVIEW_QUEUE', queueItemId: id }),
    list: async <const Path extends `/v0/human-annotation${string}`>(path: Path) =>
      server.ok('GET', path, { headers }),
    /** The uuids of new traces. */
    traces: async (count: number, more: object = {}): Promise<string[]> => {
      const ids = Array.from({ length: count }, () => randomUUID());
      const events = ids.map((traceId) => ({
        type: 'trace' as const,
        timestamp: '2026-01-31T12:00:00Z',
        input: 'Hello',
        output: 'Hello to you',
        traceId,
        ...more,
      }));
      await server.ok('POST', '/v0/ingest', { body: { events }, headers });
      return ids;
    },
  };
}
