import { expect } from 'vitest';
import type { CreateErasureBody, Erasure } from '../../src/api/generated/schema.ts';
import { folderBytes } from '../support/folder-bytes.ts';
import { requestOf } from '../support/otlp-json.ts';
import type { TestServer } from '../support/server.ts';
import { spanHex, traceBytes } from '../support/spans.ts';
import { until } from '../support/until.ts';

/** What tests of erasures do with the server that runs. */
export function erasing(server: () => TestServer) {
  /** Sends a trace of one span; returns its id. */
  async function send(trace: number, attributes: Readonly<Record<string, string>>): Promise<string> {
    const traceId = traceBytes(trace).toString('hex');
    const body = requestOf({
      traceId,
      spanId: spanHex(1),
      name: 'call',
      startTimeUnixNano: '1790000000000000000',
      endTimeUnixNano: '1790000000500000000',
      attributes: Object.entries(attributes).map(([key, text]) => ({ key, value: { stringValue: text } })),
    });
    const headers = { 'content-type': 'application/json' };
    expect(await server().call('POST', '/v1/traces', { headers, body })).toMatchObject({ status: 200 });
    return traceId;
  }

  /** Requests an erasure; returns its first receipt. */
  async function request(body: CreateErasureBody): Promise<Erasure> {
    return (await server().ok('POST', '/v0/erasures', { body })).data;
  }

  /** Returns the receipt of an erasure once it is complete. */
  const completed = ({ id }: Erasure): Promise<Erasure> =>
    until(
      async () => (await server().ok('GET', `/v0/erasures/${id}`)).data,
      ({ status }) => status === 'COMPLETED',
    );
  const erase = async (body: CreateErasureBody): Promise<Erasure> => completed(await request(body));

  /** Returns the names of the files of the data folder that have one of the texts. */
  const filesWith = (...texts: string[]): string[] =>
    folderBytes(server().folder)
      .filter(({ bytes }) => texts.some((text) => bytes.includes(text)))
      .map(({ file }) => file);
  return { send, request, completed, erase, filesWith };
}
