import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { answerTo } from './answer-span.ts';

/** Tests of one task that one call may start. */
const MAX_REPEAT = 100;

export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Everything that running tests of tasks needs: the API, and the file that shows their progress. */
export interface Bench {
  call: Call;
  store: Sqlite.Database;
}

export interface Api {
  port: number;
  headers: Record<string, string>;
}

const agent = new Agent({ keepAlive: true });

/** Calls the API with JSON. */
export async function callOf(
  { port, headers }: Api,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const whole = { ...headers, prefer: 'return=representation' };
  const sent = request({ port, host: '127.0.0.1', agent, method, path, headers: whole });
  if (body === undefined) sent.end();
  else sent.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  const { statusCode = 0 } = response;
  if (statusCode >= 300) throw new Error(`${method} ${path} was answered ${statusCode}: ${answer}`);
  return answer === '' ? undefined : JSON.parse(answer);
}

/** Closes the connections of `callOf`. */
export const closeCalls = (): void => agent.destroy();

export interface Listener {
  url: string;
  close: () => void;
}

/** Listens on loopback. */
export async function listen(
  handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listener> {
  const server = createServer((incoming, response) => void handle(incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Starts an app that answers webhooks and then sends its span, which is therefore the last to arrive of a test. */
export const startApp = (api: Api): Promise<Listener> =>
  listen(async (incoming, response) => {
    const { body } = await answerTo(incoming, 'The capital of France is Paris.');
    response.end();
    await delay(20);
    await callOf(api, 'POST', '/v1/traces', body);
  });

/** Creates a task with these definitions; returns its id. */
export async function newTask(
  { call }: Pick<Bench, 'call'>,
  definitions: readonly object[],
): Promise<string> {
  const ids: string[] = [];
  for (const definition of definitions) {
    const { data } = (await call('POST', '/v0/definitions', definition)) as { data: { id: string } };
    ids.push(data.id);
  }
  const { task } = (await call('POST', '/v0/tasks', {
    title: 'Capital',
    type: 'STATIC',
    inputExamples: ['Capital of France?'],
    evalDefinitions: ids.map((evalDefinitionId) => ({ evalDefinitionId })),
  })) as { task: { id: string } };
  return task.id;
}

/** Runs that many tests of a task to their end. */
export async function runTests({ call, store }: Bench, taskId: string, count: number): Promise<void> {
  for (let started = 0; started < count; started += MAX_REPEAT) {
    const repeat = Math.min(count - started, MAX_REPEAT);
    await call('POST', '/v0/tasks/trigger', { taskIds: [taskId], repeat });
  }
  await untilJudged(store);
}

/** Waits until every test is complete. */
export async function untilJudged(store: Sqlite.Database): Promise<void> {
  const open = store.prepare<[], number>(`SELECT count(*) FROM test WHERE status <> 'COMPLETED'`).pluck();
  while (open.get() !== 0) await delay(50);
}

/** Judges all tests of a task again; returns how many evals that takes. */
export async function judgeAgain({ call, store }: Bench, taskId: string): Promise<number> {
  const answer = (await call('POST', `/v0/tasks/${taskId}/evaluate`, { force: true })) as {
    data: { evals: number };
  };
  await untilJudged(store);
  return answer.data.evals;
}

/** Makes a definition of deterministic assertions. */
export const rule = (index: number): object => ({
  name: `Rule ${index}`,
  type: 'ASSERT',
  globalConfig: {
    assertions: [
      { type: 'icontains', value: 'paris' },
      { type: 'regex', value: 'capital of \\w+' },
      { type: 'latency', threshold: 5_000 },
      { type: 'levenshtein', value: 'The capital of France is Paris', threshold: 5 },
    ],
  },
});
