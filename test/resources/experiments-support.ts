import { expect } from 'vitest';
import type { Experiment, Variant } from '../../src/api/generated/schema.ts';
import type { Reply, TestServer } from '../support/server.ts';

export type Headers = Readonly<Record<string, string>>;

/** Calls about experiments, each of which must succeed. */
export interface ExperimentCalls {
  task: (body?: object, headers?: Headers) => Promise<string>;
  step: (externalId: string, headers?: Headers) => Promise<string>;
  experiment: (body?: object, headers?: Headers) => Promise<Experiment>;
  variant: (experimentId: string, body?: object) => Promise<Variant>;
  run: (experimentId: string, variantId: string, body?: object) => Promise<Reply>;
  read: <T>(path: string) => Promise<T>;
}

export function experimentCalls(server: () => TestServer): ExperimentCalls {
  const make = async (path: string, body: object, headers: Headers = {}): Promise<unknown> => {
    const { status, text, json } = await server().call('POST', path, { body, headers });
    expect(status, text).toBe(201);
    return json;
  };
  return {
    task: async (body = {}, headers = {}) => {
      const made = await make(
        '/v0/tasks',
        { title: 'Task', type: 'STATIC', inputExamples: ['Task'], ...body },
        headers,
      );
      return (made as { task: { id: string } }).task.id;
    },
    step: async (externalId, headers = {}) => {
      const made = await make('/v0/inference-steps', { type: 'LLM', externalId, title: externalId }, headers);
      return (made as { data: { id: string } }).data.id;
    },
    experiment: async (body = {}, headers = {}) =>
      ((await make('/v0/experiments', { title: 'x', ...body }, headers)) as { data: Experiment }).data,
    variant: async (experimentId, body = {}) => {
      const path = `/v0/experiments/${experimentId}/variants`;
      return ((await make(path, { title: 'v', configPatch: {}, ...body })) as { data: Variant }).data;
    },
    run: async (experimentId, variantId, body) => {
      const path = `/v0/experiments/${experimentId}/variants/${variantId}/run`;
      const reply = await server().call('POST', path, body ? { body } : {});
      expect(reply.status, reply.text).toBe(200);
      return reply;
    },
    read: async <T>(path: string) => {
      const { status, text, json } = await server().call('GET', path);
      expect(status, text).toBe(200);
      return (json as { data: T }).data;
    },
  };
}
