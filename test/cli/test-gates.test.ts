import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CustomerApp, hang, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Ways in which a gate could open, or stay closed, by mistake: each through the command, with its exit code and its reason. */
let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 400, traceDeadlineMs: 20_000 } });
  app = await startCustomerApp();
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

/** Makes the app answer the prompts right for which `isRight` says so. */
function answers(isRight: (prompt: string) => boolean): void {
  app.behave(async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    const timestamp = new Date().toISOString();
    const event = {
      type: 'trace' as const,
      timestamp,
      testId,
      input: prompt,
      output: isRight(prompt) ? 'right' : 'wrong',
    };
    await server.call('POST', '/v0/ingest', { body: { events: [event] } });
    response.writeHead(200).end();
  });
}
const all = (): boolean => true;
const none = (): boolean => false;

async function definition(more: object = {}): Promise<string> {
  const globalConfig = { assertions: [{ type: 'equals', value: 'right' }] };
  const body = { name: 'Right', type: 'ASSERT' as const, globalConfig, ...more };
  const { status, json, text } = await server.call('POST', '/v0/definitions', { body });
  expect(status, text).toBeLessThan(300);
  return (json as { data: { id: string } }).data.id;
}

let tasks = 0;
async function task(prompts: readonly string[], definitionIds: readonly string[]): Promise<string> {
  const body = {
    title: `Task ${tasks++}`,
    type: 'STATIC' as const,
    inputExamples: [...prompts],
    evalDefinitions: definitionIds.map((evalDefinitionId) => ({ evalDefinitionId })),
  };
  return (await server.ok('POST', '/v0/tasks', { body })).task.id;
}

const prompts = (count: number, name = 'Question'): string[] =>
  Array.from({ length: count }, (_, i) => `${name} ${i}?`);

const gate = (...args: string[]): Promise<Ended> =>
  run(['test', ...args], {
    env: {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
    },
  });

/** Tests the tasks, and returns the ids of their newest runs. */
async function baselineOf(...taskIds: string[]): Promise<string> {
  const { code, stdout, stderr } = await gate('--tasks', taskIds.join(','), '--fail-under', '0');
  expect(code, stdout + stderr).toBe(0);
  const ids: string[] = [];
  for (const taskId of taskIds) {
    const { data } = await server.ok(
      'GET',
      `/v0/runs?taskId=${taskId}&limit=1&orderBy=createdAt&orderDir=desc`,
    );
    ids.push(data[0]?.id ?? '');
  }
  return ids.join(',');
}

const compared = (taskIds: readonly string[], baseline: string, ...more: string[]): Promise<Ended> =>
  gate('--tasks', taskIds.join(','), '--fail-under', '0', '--baseline', baseline, '--no-regression', ...more);

/** A busy machine takes its time to evaluate. */
const PATIENCE = { timeout: 120_000 };

const lastLine = ({ stdout }: Ended): string => stdout.trimEnd().split('\n').at(-1) ?? '';

describe('a comparison with the baseline', () => {
  it('of five tasks closes when the app is broken, and stays open when it is not', async () => {
    const rule = await definition();
    const ids = await Promise.all(
      [0, 1, 2, 3, 4].map((i) => task(prompts(4, `Task ${i}, question`), [rule])),
    );
    answers(all);
    const baseline = await baselineOf(...ids);
    const same = await compared(ids, baseline);
    expect(same.code, same.stdout).toBe(0);
    expect(lastLine(same)).toMatch(
      /^No regression of more than 0 points was shown .*; losses up to -\d.* are possible\. The smallest loss that could have been shown is about \+\d/,
    );
    expect(same.stdout).toContain('5 tasks are 5 observations');
    answers(none);
    const broken = await compared(ids, baseline);
    expect(broken.code, broken.stdout).toBe(1);
    expect(lastLine(broken)).toMatch(/^Failed: worse than the baseline by more than 0 points/);
  });

  it('of two tasks is for these tasks, and says so', async () => {
    const rule = await definition();
    const ids = await Promise.all([0, 1].map((i) => task(prompts(4, `Pair ${i}, question`), [rule])));
    answers(all);
    const baseline = await baselineOf(...ids);
    answers(none);
    const broken = await compared(ids, baseline);
    expect(broken.code, broken.stdout).toBe(1);
    expect(broken.stdout).toContain('of these very tasks: fewer than five say nothing about others');
  });

  it('keeps an absolute line beside it: 100 % unless another is given', async () => {
    const id = await task(prompts(6, 'Line'), [await definition()]);
    answers((prompt) => !prompt.includes('0'));
    const baseline = await baselineOf(id);
    const args = ['--tasks', id, '--baseline', baseline, '--no-regression', '--find-loss', '90'];
    const strict = await gate(...args);
    expect(strict.code, strict.stdout).toBe(1);
    expect(strict.stdout).toMatch(/^Failed: the pass rate 83\.3 % .* is below 100 %\.$/m);
    expect((await gate(...args, '--fail-under', '80')).code).toBe(0);
  });

  it.each([
    ['no data could close', 4, [], /^Unknown: no result could have shown a loss of more than 0 points/],
    ['no data could close beyond the margin', 6, ['--margin', '99'], /the baseline has 100 % to lose/],
    [
      'nothing like the wanted loss could close',
      6,
      ['--find-loss', '10'],
      /^Unknown: a loss below about \+\d\S* points could not have been shown .*; --find-loss requires 10\./,
    ],
  ] as const)('that %s is unknown: %d examples %j', async (_name, count, flags, reason) => {
    const id = await task(prompts(count, 'Few'), [await definition()]);
    answers(all);
    const ended = await compared([id], await baselineOf(id), ...flags);
    expect(ended.code, ended.stdout).toBe(2);
    expect(lastLine(ended)).toMatch(reason);
  });

  it('of a remnant is unknown, and lists what has no partner: examples that were replaced', async () => {
    const id = await task(prompts(8, 'Old'), [await definition()]);
    answers(all);
    const baseline = await baselineOf(id);
    const { data } = await server.ok('GET', `/v0/tasks/${id}/examples`);
    for (const { id: exampleId } of data.slice(1))
      await server.ok('PUT', `/v0/tasks/${id}/examples/${exampleId}`, {
        body: { input: `New ${exampleId}?` },
      });
    answers(none);
    const ended = await compared([id], baseline);
    expect(ended.code, ended.stdout).toBe(2);
    expect(lastLine(ended)).toMatch(
      /^Unknown: only 12\.5 % of what was tested could be compared with the baseline; 80 % is required/,
    );
    expect(ended.stdout).toMatch(/^ {2}not compared: New \S+ \(not tested in the baseline\)$/m);
    expect(ended.stdout).toMatch(/^ {2}not compared: Old \d\? \(not tested in these runs\)$/m);
  });

  it('of a remnant is unknown: a baseline of one of two tasks, unless so little is accepted', async () => {
    const rule = await definition();
    const ids = [await task(prompts(6, 'First'), [rule]), await task(prompts(6, 'Second'), [rule])];
    answers(all);
    const baseline = await baselineOf(ids[0] as string);
    const ended = await compared(ids, baseline);
    expect(ended.code, ended.stdout).toBe(2);
    expect(lastLine(ended)).toMatch(/^Unknown: only 50 % of what was tested/);
    expect((await compared(ids, baseline, '--min-paired', '50', '--find-loss', '90')).code).toBe(0);
  });

  it('with another version of a definition is unknown, though the loosened one lets more pass', async () => {
    const rule = await definition();
    const id = await task(prompts(6, 'Loose'), [rule]);
    answers((prompt) => /[012]\?/.test(prompt));
    const baseline = await baselineOf(id);
    const globalConfig = { assertions: [{ type: 'contains-any', value: ['right', 'wrong'] }] };
    await server.ok('PUT', `/v0/definitions/${rule}`, { body: { globalConfig } });
    answers(none);
    const ended = await compared([id], baseline);
    expect(ended.code, ended.stdout).toBe(2);
    expect(lastLine(ended)).toMatch(
      /^Unknown: nothing could be compared with the baseline\. 6 pairs had other expected values, definition versions or judge versions/,
    );
    expect(ended.stdout).not.toContain('better');
    // Evaluated again by today's version, the baseline can be compared.
    await server.ok('POST', `/v0/runs/${baseline}/evaluate`, { body: {} });
    await expect
      .poll(async () => {
        const { data } = await server.ok('GET', `/v0/evals?runId=${baseline}&status=COMPLETED`);
        return data.filter(({ passed }) => passed === true).length;
      }, PATIENCE)
      .toBe(6);
    const again = await compared([id], baseline);
    expect(again.code, again.stdout).toBe(0);
    expect(again.stdout).toMatch(/^ {2}100 % became 100 %: 0 points/m);
  });

  it('with another expected value is unknown', async () => {
    const rule = await definition({ name: 'Same', type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } });
    const id = await task([], [rule]);
    for (const input of prompts(6, 'Expected'))
      await server.ok('POST', `/v0/tasks/${id}/examples`, { body: { input, expected: 'right' } });
    answers(all);
    const baseline = await baselineOf(id);
    const { data } = await server.ok('GET', `/v0/tasks/${id}/examples`);
    for (const example of data)
      await server.ok('PUT', `/v0/tasks/${id}/examples/${example.id}`, { body: { expected: 'wrong' } });
    answers(none);
    const ended = await compared([id], baseline);
    expect(ended.code, ended.stdout).toBe(2);
    expect(ended.stdout).toMatch(
      /^ {2}not compared: Expected \d\? \(judged by another expected value, definition version or judge version\)$/m,
    );
  });

  it('with another expected value of the link is unknown, though the broken app gives it', async () => {
    const rule = await definition({ name: 'Linked', type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } });
    const id = await task(prompts(6, 'By link'), []);
    const expecting = async (expected: string): Promise<void> => {
      const evalDefinitions = [{ evalDefinitionId: rule, config: { expected } }];
      await server.ok('PUT', `/v0/tasks/${id}`, { body: { evalDefinitions } });
    };
    await expecting('right');
    answers(all);
    const baseline = await baselineOf(id);
    expect((await compared([id], baseline)).code).toBe(0);
    await expecting('wrong');
    answers(none);
    const ended = await compared([id], baseline);
    expect(ended.code, ended.stdout).toBe(2);
    expect(ended.stdout).toMatch(
      /^Unknown: nothing could be compared with the baseline\. 6 pairs had other/m,
    );
  });

  it('with a baseline most of whose tests were cancelled is unknown', async () => {
    const id = await task(prompts(8, 'Cancelled'), [await definition()]);
    app.behave((received, response) => {
      if (received.body.includes('Cancelled 0?')) response.writeHead(500).end();
      else hang(received, response);
    });
    const body = { taskIds: [id], examples: {} };
    const started = await server.call('POST', '/v0/tasks/trigger', {
      body,
      headers: { ...server.headers, prefer: 'return=representation' },
    });
    const [stopped] = (started.json as { data: { runId: string; testIds: string[] }[] }).data;
    for (const testId of stopped?.testIds.slice(1) ?? [])
      await server.call('POST', `/v0/tests/${testId}/cancel`);
    answers(all);
    const ended = await compared([id], stopped?.runId ?? '');
    expect(ended.code, ended.stdout).toBe(2);
    expect(ended.stdout).toContain('(without a verdict in the baseline)');
  });
});

describe('the line', () => {
  it('does not rise by repetition: 40 examples with the same input are one', async () => {
    const id = await task(['Same?'], [await definition()]);
    for (let i = 0; i < 39; i++)
      await server.ok('POST', `/v0/tasks/${id}/examples`, { body: { input: 'Same?' } });
    answers(all);
    const ended = await gate('--tasks', id, '--strict', '--fail-under', '90');
    expect(ended.code, ended.stdout).toBe(1);
    expect(lastLine(ended)).toBe(
      'Failed: the lower bound of the pass rate, 2.5 % (40 tests of 1 example), is below 90 %.',
    );
  });

  it('is not crossed downwards by a second perfect task', async () => {
    const rule = await definition();
    const ids = [await task(prompts(20, 'One'), [rule]), await task(prompts(20, 'Two'), [rule])];
    answers(all);
    for (const chosen of [ids.slice(0, 1), ids])
      expect((await gate('--tasks', chosen.join(','), '--strict', '--fail-under', '80')).code).toBe(0);
  });

  it('of all examples is the default, and a smaller choice is said', async () => {
    const id = await task(prompts(3, 'Choice'), [await definition()]);
    answers(all);
    expect((await gate('--tasks', id)).stdout).toMatch(/^Started 3 tests of 1 task\.$/m);
    expect((await gate('--tasks', id, '--examples', 'in-turn')).stdout).toMatch(
      /^Started 1 test of 1 task: 1 of 3 examples\.$/m,
    );
  });

  it('is not measured with a split that does not exist', async () => {
    const id = await task(prompts(1, 'Split'), [await definition()]);
    const body = { input: 'Hard?', split: 'hard' };
    await server.ok('POST', `/v0/tasks/${id}/examples`, { body });
    answers(all);
    const ended = await gate('--tasks', id, '--examples', 'split:hard,split:nope');
    expect(ended).toMatchObject({
      code: 2,
      stderr: 'No task has an active example of the split "nope".\n',
    });
  });

  it('says which definitions judge nothing', async () => {
    const idle = await definition({ name: 'Idle', status: 'DRAFT' });
    const id = await task(prompts(1, 'Idle'), [await definition(), idle]);
    answers(all);
    expect((await gate('--tasks', id)).stdout).toContain('Idle judges nothing: its status is DRAFT.\n');
  });
});
