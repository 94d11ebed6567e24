import { expect } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

export type Headers = Readonly<Record<string, string>>;
export type Json = Record<string, unknown>;
export interface Upload extends Json {
  id: string;
  status: string;
  report?: { rows: number; created: Record<string, number>; rejected: unknown[]; rejectedCount: number };
}

/** `created` of an upload of which nothing was made. */
export const NOTHING = {
  topics: 0,
  tasks: 0,
  inputExamples: 0,
  conversations: 0,
  documents: 0,
  definitions: 0,
};

/** Calls about quickstarts, each of which must succeed unless it says otherwise. */
export interface QuickstartCalls {
  /** The record of the answer, whatever it is wrapped in. */
  call: <T>(method: string, path: string, body?: object, headers?: Headers) => Promise<T>;
  createQuickstart: (headers?: Headers) => Promise<string>;
  quickstart: (id: string) => Promise<Json>;
  /** Sends a file; the answer may be a rejection. */
  send: (
    csv: string | Uint8Array,
    fields: Readonly<Record<string, string>>,
    more?: { name?: string; headers?: Headers },
  ) => Promise<{ status: number; json: unknown }>;
  upload: (csv: string | Uint8Array, fields: Readonly<Record<string, string>>) => Promise<Upload>;
  /** The upload when all its rows are done. */
  processed: (upload: { id: string }) => Promise<Required<Upload>>;
  /** Records that a file of one type creates in a quickstart of its own. */
  make: (
    materialType: string,
    lines: readonly string[],
  ) => Promise<{ quickstartId: string; done: Required<Upload> }>;
}

export function quickstartCalls(server: () => TestServer): QuickstartCalls {
  async function call<T>(method: string, path: string, body?: object, headers: Headers = {}): Promise<T> {
    const { status, text, json } = await server().call(method, path, { headers, ...(body ? { body } : {}) });
    expect(status, text).toBeLessThan(300);
    const { data, task, document } = (json ?? {}) as { data?: T; task?: T; document?: T };
    return (data ?? task ?? document) as T;
  }

  const createQuickstart = async (headers?: Headers): Promise<string> =>
    (await call<{ id: string }>('POST', '/v0/quickstarts', { name: 'x' }, headers)).id;
  const quickstart = (id: string): Promise<Json> => call('GET', `/v0/quickstarts/${id}`);

  async function send(
    csv: string | Uint8Array,
    fields: Readonly<Record<string, string>>,
    { name = 'material.csv', headers = {} }: { name?: string; headers?: Headers } = {},
  ): Promise<{ status: number; json: unknown }> {
    const form = new FormData();
    form.set('file', new Blob([csv as string]), name);
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    const response = await fetch(`${server().url}/v1/quickstarts/uploads`, {
      method: 'POST',
      headers: { ...server().headers, ...headers },
      body: form,
    });
    return { status: response.status, json: await response.json() };
  }

  async function upload(csv: string | Uint8Array, fields: Readonly<Record<string, string>>): Promise<Upload> {
    const { status, json } = await send(csv, fields);
    expect(status, JSON.stringify(json)).toBe(201);
    return (json as { data: Upload }).data;
  }

  async function processed({ id }: { id: string }): Promise<Required<Upload>> {
    const read = () => call<Required<Upload>>('GET', `/v1/quickstarts/uploads/${id}`);
    return until(read, ({ status }) => /COMPLETED|FAILED/.test(status));
  }

  async function make(
    materialType: string,
    lines: readonly string[],
  ): Promise<{ quickstartId: string; done: Required<Upload> }> {
    const quickstartId = await createQuickstart();
    const done = await processed(await upload(lines.join('\n'), { quickstartId, materialType }));
    return { quickstartId, done };
  }

  return { call, createQuickstart, quickstart, send, upload, processed, make };
}
