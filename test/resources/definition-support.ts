import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CreateDefinitionBody, CreateTaskBody } from '../../src/api/generated/schema.ts';
import { besideServer } from '../support/beside-store.ts';
import type { TestServer } from '../support/server.ts';

export type Headers = Readonly<Record<string, string>>;
export const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

export interface Definition {
  id: string;
  name: string;
  type: string;
  status: string;
  version: number;
  topics: string[];
  createdAt: string;
  modifiedAt: string;
}

/** Calls around evaluation definitions, as one application. */
export function defining(server: TestServer, headers: Headers = {}) {
  const change = async (method: string, path: string, body?: object): Promise<{ data: Definition }> => {
    const reply = await server.call(method, path, { headers, ...(body ? { body } : {}) });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.json as { data: Definition };
  };
  return {
    definition: async (more: object = {}) => {
      const body = { name: 'Kind', type: 'NATURALNESS', ...more } as CreateDefinitionBody;
      return (await server.ok('POST', '/v0/definitions', { body, headers })).data;
    },
    task: async (more: object = {}) => {
      const body: CreateTaskBody = { title: 'T', type: 'STATIC', inputExamples: ['T'], ...more };
      return (await server.ok('POST', '/v0/tasks', { body, headers })).task;
    },
    topic: async (more: object = {}) =>
      (await server.ok('POST', '/v0/topics', { body: { title: 'T', ...more }, headers })).data,
    styleGuide: async (more: object = {}) => {
      const body = { content: [{ heading: 'Tone', content: 'Warm.' }], ...more };
      return (await server.ok('POST', '/v0/style-guides', { body, headers })).data;
    },
    put: (id: string, body: object) => change('PUT', `/v0/definitions/${id}`, body),
    get: async (id: string): Promise<Definition> => (await change('GET', `/v0/definitions/${id}`)).data,
    remove: (id: string) => change('DELETE', `/v0/definitions/${id}`),
    /** `link`, `unlink`, `link-application` or `unlink-application`. */
    link: (verb: string, body: object) => change('POST', `/v0/definitions/${verb}`, body),
    list: async (query = ''): Promise<{ data: Definition[]; pagination: unknown }> => {
      return server.ok('GET', `/v0/definitions?${query}`, { headers });
    },
  };
}

/** Stores an empty quickstart; its id. */
export function storeQuickstart(server: TestServer, applicationId: string): string {
  const id = randomUUID();
  besideServer(server.folder, (database) => {
    database.run(
      `INSERT INTO quickstart (id, application, name, status, created_at, modified_at)
       SELECT ?, application, 'Quickstart', 'UPLOADING', 0, 0 FROM application WHERE id = ?`,
      id,
      applicationId,
    );
  });
  return id;
}

/** Stores an eval by a definition, of a test or of a trace. */
export function storeEval(
  server: TestServer,
  definitionId: string,
  {
    traceId,
    testId,
    taskId,
    status = 'COMPLETED',
    superseded = false,
  }: { traceId?: Buffer; testId?: string; taskId?: string; status?: string; superseded?: boolean },
): void {
  besideServer(server.folder, (database) => {
    database.run(
      `INSERT INTO eval (id, application, definition_id, definition_version, definition_type, test_id, trace_id, task_id,
         run_type, status, version, superseded, created_at, modified_at, input_hash)
       SELECT ?, application, id, version, type, ?, ?, ?, 'MANUAL', ?, 1, ?, 0, 0, 'hash' FROM definition WHERE id = ?`,
      randomUUID(),
      traceId === undefined ? (testId ?? randomUUID()) : null,
      traceId ?? null,
      taskId ?? null,
      status,
      Number(superseded),
      definitionId,
    );
  });
}
