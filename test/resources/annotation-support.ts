import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestServer } from '../support/server.ts';

export type Headers = Readonly<Record<string, string>>;

export interface Queue {
  id: string;
  title: string;
  createdAt: string;
  modifiedAt: string;
  pendingCount: number;
  completedCount: number;
}

export interface Item {
  id: string;
  queueId: string;
  traceId: string;
  selection: string;
  completedAt: string | null;
  expiresAt: string;
  createdAt: string;
}

export interface Annotation {
  id: string;
  traceId: string;
  verdict: boolean;
  critique: string | null;
  createdAt: string;
  modifiedAt: string;
}

export const PAST = '2020-01-01T00:00:00.000Z';
export const CRITIQUE = 'The answer names a wrong price.';

/** Calls that make what human annotation is about, as one application. */
export function annotating(server: TestServer, headers: Headers = {}) {
  const create = async <T>(path: string, body: object): Promise<T> => {
    const { status, text, json } = await server.call('POST', path, { body, headers });
    expect(status, text).toBe(201);
    return (json as { data: T }).data;
  };
  const queue = (body: object = {}): Promise<Queue> =>
    create('/v0/human-annotation-queues', { title: 'Queue', ...body });
  const item = (body: object): Promise<Item> => create('/v0/human-annotation-queue-items', body);
  const annotation = (body: object): Promise<Annotation> =>
    create('/v0/human-annotations', { verdict: true, source: 'TRACE_PAGE', ...body });
  return {
    queue,
    item,
    annotation,
    draw: (body: object): Promise<Item[]> => create('/v0/human-annotation-queue-items/draw', body),
    /** Completes the item by a verdict. */
    complete: ({ id, traceId }: Item): Promise<Annotation> =>
      annotation({ traceId, source: 'REVIEW_QUEUE', queueItemId: id }),
    list: async <T>(path: string): Promise<{ data: T[]; pagination: { total: number } }> => {
      const { status, text, json } = await server.call('GET', path, { headers });
      expect(status, text).toBe(200);
      return json as { data: T[]; pagination: { total: number } };
    },
    /** The uuids of new traces. */
    traces: async (count: number, more: object = {}): Promise<string[]> => {
      const ids = Array.from({ length: count }, () => randomUUID());
      const events = ids.map((traceId) => ({
        type: 'trace',
        timestamp: '2026-01-31T12:00:00Z',
        input: 'Hello',
        output: 'Hello to you',
        traceId,
        ...more,
      }));
      const { status, text } = await server.call('POST', '/v0/ingest', { body: { events }, headers });
      expect(status, text).toBe(200);
      return ids;
    },
  };
}
