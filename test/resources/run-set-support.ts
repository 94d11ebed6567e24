import { expect } from 'vitest';
import type { RunSet } from '../../src/api/generated/schema.ts';
import type { CustomerApp } from '../support/customer-app.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Makes the app answer each prompt, after `before` has been called with it. */
export function answering(
  server: TestServer,
  app: CustomerApp,
  answerTo: (prompt: string) => string,
  before: (prompt: string) => Promise<void> = async () => undefined,
): void {
  app.behave(async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    await before(prompt);
    const timestamp = new Date().toISOString();
    const event = { type: 'trace' as const, timestamp, testId, input: prompt, output: answerTo(prompt) };
    await server.call('POST', '/v0/ingest', { body: { events: [event] } });
    response.writeHead(200).end();
  });
}

export async function createRule(server: TestServer, more: object = {}): Promise<string> {
  const globalConfig = { assertions: [{ type: 'equals', value: 'right' }] };
  const body = { name: 'Right', type: 'ASSERT' as const, globalConfig, ...more };
  const { status, json, text } = await server.call('POST', '/v0/definitions', { body });
  expect(status, text).toBe(201);
  return (json as { data: { id: string } }).data.id;
}

let tasks = 0;
export async function createTaskOf(
  server: TestServer,
  prompts: readonly string[],
  definitionIds: readonly string[],
): Promise<string> {
  const body = {
    title: `Task ${tasks++}`,
    type: 'STATIC' as const,
    inputExamples: [...prompts],
    evalDefinitions: definitionIds.map((evalDefinitionId) => ({ evalDefinitionId })),
  };
  return (await server.ok('POST', '/v0/tasks', { body })).task.id;
}

export const promptsOf = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, i) => `${name} ${i}?`);

/** Waits until a run set has this status, and returns it; in hooks too. */
export const reaches = (server: TestServer, id: string, status: RunSet['status']): Promise<RunSet> =>
  until(
    async () => (await server.ok('GET', `/v0/run-sets/${id}`)).data,
    (set) => set.status === status,
  );
