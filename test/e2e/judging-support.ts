import { expect } from 'vitest';
import type { ListedEval, Test } from '../../src/api/generated/schema.ts';
import { defining } from '../resources/definition-support.ts';
import type { Behaviour, Received } from '../support/customer-app.ts';
import type { TestServer } from '../support/server.ts';
import { jsonRequest, jsonSpan, newSpanId } from './otlp-sender.ts';

/** Short, so that what waits for silence does not make the tests wait. */
export const SETTINGS = { quietMs: 200, orphanQuietMs: 400, traceDeadlineMs: 10_000 };

/** What tests of judging do with the server that runs. */
export function judging(server: () => TestServer) {
  const definitions = () => defining(server());
  const contains = (value: string, more: object = {}) =>
    definitions().definition({
      name: `contains ${value}`,
      type: 'ASSERT',
      globalConfig: { assertions: [{ type: 'contains', value }] },
      ...more,
    });

  /** A span of the app below the delivery that says what came out. */
  async function sendOutput(
    request: Received,
    output: string,
    more: { endedAt?: number } = {},
  ): Promise<void> {
    const [, trace = '', parentSpanId] = String(request.headers['traceparent']).split('-');
    const endedAt = BigInt(more.endedAt ?? Date.now()) * 1_000_000n;
    const attributes = {
      'openinference.span.kind': 'AGENT',
      'input.value': 'Capital?',
      'output.value': output,
    };
    await send(
      jsonSpan(trace, 'answer', {
        spanId: newSpanId(),
        parentSpanId,
        startTimeUnixNano: String(endedAt - 5_000_000n),
        endTimeUnixNano: String(endedAt),
        attributes: Object.entries(attributes).map(([key, value]) => ({
          key,
          value: { stringValue: value },
        })),
      }),
    );
  }

  async function send(span: object): Promise<void> {
    await server().ok('POST', '/v1/traces', { body: jsonRequest(span) });
  }

  /** The app answers with these outputs, each a span. */
  const saying =
    (...outputs: string[]): Behaviour =>
    (request, response) => {
      void (async () => {
        for (const output of outputs) await sendOutput(request, output);
        response.writeHead(200).end();
      })();
    };

  async function trigger(taskId: string): Promise<string> {
    const { json, text } = await server().call('POST', '/v0/tasks/trigger', {
      headers: { prefer: 'return=representation' },
      body: { taskIds: [taskId] },
    });
    const [id] = (json as { data: { testIds: string[] }[] }).data.flatMap(({ testIds }) => testIds);
    expect(id, text).toBeDefined();
    return id as string;
  }

  const read = async (id: string): Promise<Test> => (await server().ok('GET', `/v0/tests/${id}`)).test;

  async function over(id: string): Promise<Test> {
    await expect.poll(async () => (await read(id)).status).toMatch(/^(COMPLETED|FAILED)$/);
    return read(id);
  }

  const evalsOf = async (testId: string, query = ''): Promise<ListedEval[]> => {
    return (await server().ok('GET', `/v0/evals?testId=${testId}&orderBy=createdAt&orderDir=asc${query}`))
      .data;
  };
  const post = async (path: string, body?: object) =>
    server().call('POST', path, body === undefined ? {} : { body });
  return { definitions, contains, sendOutput, send, saying, trigger, read, over, evalsOf, post };
}

export const phases = ({ timeline }: Test): string[] => timeline.map(({ phase }) => phase);
