import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answer, type Behaviour, type CustomerApp, hang, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run, start } from '../support/process.ts';
import { suitesOf } from '../support/junit.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

let server: TestServer;
let app: CustomerApp;
let folder: string;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 100, orphanQuietMs: 400, traceDeadlineMs: 1_000 } });
  app = await startCustomerApp();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-gate-'));
  await make('/v0/webhook', { url: app.url });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app.close();
  await server.close();
});
beforeEach(() => {
  app.received.length = 0;
  app.behave(capitals);
});

interface Made {
  id: string;
}

/** Makes a record; its id. */
async function make(
  path: string,
  body: object,
  { headers }: Pick<Tenant, 'headers'> = server,
): Promise<string> {
  const { status, json, text } = await server.call('POST', path, { headers, body });
  expect(status, text).toBeLessThan(300);
  const { data, task } = json as { data?: Made; task?: Made };
  return String((data ?? task)?.id);
}

/** Tells the server what the app has answered. */
const answerWith =
  (outputOf: (prompt: string) => string, headers?: Tenant['headers']): Behaviour =>
  async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    const at = new Date().toISOString();
    const event = { type: 'trace', timestamp: at, testId, input: prompt, output: outputOf(prompt) };
    await server.call('POST', '/v0/ingest', { ...(headers && { headers }), body: { events: [event] } });
    response.writeHead(200).end();
  };

/** Knows one of two. */
const capitals = answerWith((prompt) => (prompt.includes('France') ? 'Paris' : 'I do not know'));

interface Definition {
  name: string;
  type: string;
  globalConfig?: object;
}

const NAMES_A_CITY: Definition = {
  name: 'Names <a> city',
  type: 'ASSERT',
  globalConfig: { assertions: [{ type: 'contains-any', value: ['Paris', 'Lima'] }] },
};
const POLITE: Definition = { name: 'Polite', type: 'CUSTOM', globalConfig: { criterion: 'It is polite.' } };

/** A task about two countries that is judged by these. */
async function capitalsTask(
  definitions: readonly Definition[] = [NAMES_A_CITY],
  more: object = {},
  owner: Pick<Tenant, 'headers'> = server,
): Promise<string> {
  const evalDefinitions: object[] = [];
  for (const definition of definitions)
    evalDefinitions.push({ evalDefinitionId: await make('/v0/definitions', definition, owner) });
  const inputExamples = ['Capital of France?', 'Capital of Peru?'];
  return make(
    '/v0/tasks',
    { title: 'Capitals', type: 'STATIC', inputExamples, evalDefinitions, ...more },
    owner,
  );
}

const envOf = ({ apiKey, applicationId }: Tenant, url = server.url): Record<string, string> => ({
  TOUCHSTONE_URL: url,
  TOUCHSTONE_API_KEY: apiKey,
  TOUCHSTONE_APPLICATION_ID: applicationId,
});

const gate = (...args: string[]): Promise<Ended> => run(['test', ...args], { env: envOf(server) });

interface TestJson {
  status: string;
  failure: { code: string } | null;
}

async function testsOf(taskId: string): Promise<TestJson[]> {
  const { json } = await server.call('GET', `/v0/tests?taskId=${taskId}`);
  return (json as { data: TestJson[] }).data;
}

describe('the line', () => {
  it.each([
    [
      ['--fail-under', '50'],
      0,
      'Passed: the pass rate 50 % (95 % interval 1.2 % to 98.7 %, 2 tests of 2 examples) is not below 50 %.',
    ],
    [
      ['--fail-under', '50.1'],
      1,
      'Failed: the pass rate 50 % (95 % interval 1.2 % to 98.7 %, 2 tests of 2 examples) is below 50.1 %.',
    ],
    [
      ['--fail-under', '1.5', '--strict'],
      1,
      'Failed: the lower bound of the pass rate, 1.2 % (2 tests of 2 examples), is below 1.5 %.',
    ],
    [
      ['--fail-under=1%', '--strict'],
      0,
      'Passed: the lower bound of the pass rate, 1.2 % (2 tests of 2 examples), is not below 1 %.',
    ],
    [
      [],
      1,
      'Failed: the pass rate 50 % (95 % interval 1.2 % to 98.7 %, 2 tests of 2 examples) is below 100 %.',
    ],
  ])('%j gives %d', async (args, code, sentence) => {
    const taskId = await capitalsTask();
    const ended = await gate('--tasks', taskId, ...args);
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(sentence);
    expect(ended).toMatchObject({ code, stderr: '' });
  });
});

describe('the report', () => {
  it('has a row for each task, the first reasons, and the same for CI', async () => {
    const topicId = await make('/v0/topics', { title: 'Countries' });
    await capitalsTask([NAMES_A_CITY, POLITE], { topicId });
    await capitalsTask([POLITE], { topicId, title: 'Manners' });
    await capitalsTask([NAMES_A_CITY], { topicId, status: 'DRAFT' });
    const junit = join(folder, 'new/report.xml');
    const { code, stdout } = await gate('--tasks', `topic:${topicId}`, '--repeat', '2', '--junit', junit);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Started 8 tests of 2 tasks\.$/m);
    expect(stdout).toMatch(/^TASK +TESTS +JUDGED +PASS RATE +95 % INTERVAL +FAILED +ERRORS +SKIPPED$/m);
    expect(stdout).toMatch(/^Capitals +4 +4 of 4 +50 % +1\.2 % to 98\.7 % +2 +0 +0$/m);
    expect(stdout).toMatch(/^Manners +4 +0 of 4 +- +- +0 +0 +4$/m);
    expect(stdout).toMatch(/^All +8 +4 of 8 +50 % +1\.2 % to 98\.7 % +2 +0 +4$/m);
    expect(stdout).toMatch(/^The intervals are for other examples like these; 2 examples in all\.$/m);
    expect(stdout).toMatch(/^ {2}Names <a> city: failed in 2 of 4\n {4}Capital of Peru\?: \S/m);
    expect(stdout).toMatch(
      /^ {2}Polite: not passed \(advisory\) in 4 of 4\n {4}Capital of \w+\?: no judge is configured$/m,
    );
    expect(stdout).toMatch(/^Polite is advisory: its verdicts do not count, because it has no gate$/m);

    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('<property name="coverage" value="judged 4 of 4"/>');
    expect(xml).toContain('<property name="coverage" value="judged 0 of 4"/>');
    const suites = suitesOf(xml);
    const ofCapitals = suites.find(({ name }) => name === 'Capitals');
    expect(ofCapitals).toMatchObject({ tests: '4', failures: '2', errors: '0', skipped: '0' });
    const cases = ofCapitals?.cases ?? [];
    expect(cases.map(({ outcomes }) => outcomes.toString())).toEqual(['', '', 'failure', 'failure']);
    const failed = cases.find(({ outcomes }) => outcomes.includes('failure'));
    expect(failed?.name).toMatch(/^\d: Capital of Peru\?$/);
    expect(failed?.message).toMatch(/^Names <a> city: ./);
    const ofManners = suites.find(({ name }) => name === 'Manners');
    expect(ofManners).toMatchObject({ tests: '4', failures: '0', errors: '0', skipped: '4' });
    expect(suites).toHaveLength(2);
  });

  it('counts advisory definitions where that is requested', async () => {
    const taskId = await capitalsTask([NAMES_A_CITY, POLITE]);
    const line = ['--tasks', taskId, '--fail-under', '100', '--examples', 'in-turn'];
    expect(await gate(...line)).toMatchObject({ code: 0 });
    const ended = await gate(...line, '--with-advisory');
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stdout).toMatch(/^ {2}Polite: skipped in 1 of 1: no judge is configured$/m);
  });

  it('counts a fault of the app as a test that failed', async () => {
    app.behave((received, response) => {
      if (received.body.includes('France')) response.writeHead(500).end();
      else void answerWith(() => 'Lima')(received, response);
    });
    const ended = await gate('--tasks', await capitalsTask(), '--fail-under', '60');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^Capitals +2 +2 of 2 +50 % /m);
    expect(ended.stdout).toMatch(/^ {2}webhook_status: failed in 1 of 2\n {4}Capital of France\?: \S/m);
  });
});

describe('the tasks', () => {
  it('are those of a topic, with a tag, by id or all, each once', async () => {
    const tenant = await server.newTenant();
    await make('/v0/webhook', { url: app.url }, tenant);
    app.behave(answerWith(() => 'Paris', tenant.headers));
    const topicId = await make('/v0/topics', { title: 'Countries' }, tenant);
    const tagId = await make('/v0/tags', { name: 'release' }, tenant);
    const inTopic = await capitalsTask([NAMES_A_CITY], { topicId }, tenant);
    const tagged = await capitalsTask([NAMES_A_CITY], { title: 'Tagged' }, tenant);
    const draft = await capitalsTask([NAMES_A_CITY], { title: 'Draft', status: 'DRAFT' }, tenant);
    const body = { taskIds: [inTopic, tagged, draft], addTagIds: [tagId] };
    await server.call('POST', '/v0/tasks/tags', { headers: tenant.headers, body });
    const started = async (tasks: string): Promise<string | undefined> => {
      const { code, stdout } = await run(['test', '--tasks', tasks], { env: envOf(tenant) });
      expect(code, stdout).toBe(0);
      return /^Started .*$/m.exec(stdout)?.[0];
    };
    expect(await started(`topic:${topicId}`)).toBe('Started 2 tests of 1 task.');
    expect(await started(`tag:${tagId}, topic:${topicId},${inTopic.toUpperCase()}`)).toBe(
      'Started 4 tests of 2 tasks.',
    );
    expect(await started(`all,${draft}`)).toBe('Started 6 tests of 3 tasks.');
  });
});

describe('the baseline', () => {
  it('is compared with: the difference, how sure it is, and the tasks that changed', async () => {
    const taskId = await capitalsTask();
    const before = await gate('--tasks', taskId);
    expect(before.stdout).not.toContain('baseline');
    app.behave(answerWith(() => 'Lima'));
    const { json } = await server.call('GET', `/v0/runs?taskId=${taskId}`);
    const [{ id: runId }] = (json as { data: [Made] }).data;
    const ended = await gate('--tasks', taskId, '--baseline', runId);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(
      /^Compared with the baseline: no clear difference\.\n {2}50 % became 100 %: \+50 points \(95 % interval .+ to .+ points\), p = \d.*\n {2}over 2 tasks and inputs; 0 only in the baseline, 0 only in these runs\. .+\n {2}better: Capitals, 50 % became 100 %$/m,
    );
  });
});

describe('what cannot be run', () => {
  it.each<[string, (tenant: Tenant) => Promise<string[]>, RegExp]>([
    ['a task that is not there', async () => ['--tasks', UNKNOWN], /^There is no task 7f1d8a52-\S+\.\n$/],
    [
      'a topic without tasks',
      async () => ['--tasks', `topic:${UNKNOWN}`],
      /^--tasks selects no active task\.\n$/,
    ],
    [
      'a baseline that is not there',
      async (tenant) => ['--tasks', await capitalsTask([], {}, tenant), '--baseline', UNKNOWN],
      /^http:\S+ answered 404: There is no run or run set 7f1d8a52-\S+\.\n$/,
    ],
    [
      'an archived task',
      async (tenant) => ['--tasks', await capitalsTask([], { status: 'ARCHIVED' }, tenant)],
      /^http:\S+ answered 409: Task \S+ is archived\.\n$/,
    ],
    [
      'more tests than one command starts',
      async (tenant) => {
        const [topicId, title] = [await make('/v0/topics', { title: 'Many' }, tenant), 'One'];
        await Promise.all(
          Array.from({ length: 101 }, () => make('/v0/tasks', { title, type: 'STATIC', topicId }, tenant)),
        );
        return ['--tasks', `topic:${topicId}`, '--repeat', '100'];
      },
      /^A command starts at most 10000 tests; got 10100\.\n$/,
    ],
  ])('%s is one sentence, a case for CI and the code 2', async (_name, args, sentence) => {
    const tenant = await server.newTenant();
    const junit = join(folder, 'refused.xml');
    const ended = await run(['test', ...(await args(tenant)), '--junit', junit], { env: envOf(tenant) });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) as string });
    const [suite, ...others] = suitesOf(readFileSync(junit, 'utf8'));
    expect(others).toEqual([]);
    expect(suite).toMatchObject({
      errors: '1',
      cases: [{ outcomes: ['error'], message: ended.stderr.trim() }],
    });
  });

  it('is a task without a webhook', async () => {
    const tenant = await server.newTenant();
    const ended = await run(['test', '--tasks', await capitalsTask([], {}, tenant)], { env: envOf(tenant) });
    expect(ended.code).toBe(2);
    expect(ended.stdout).toMatch(
      /\nUnknown: 2 of 2 tests could not be run or judged \(webhook_not_configured: .*\n$/,
    );
  });

  it('is a task that nothing judges', async () => {
    const ended = await gate('--tasks', await capitalsTask([]));
    expect(ended.code).toBe(2);
    expect(ended.stdout).toMatch(
      /\nUnknown: no test was judged; check that a definition applies to the tests\.\n$/,
    );
  });

  it('is a server that is not there, or no Touchstone server, or one that rejects the key', async () => {
    const { port } = new URL(server.url);
    const other = await startCustomerApp();
    other.behave(answer(200, '<html>', { 'content-type': 'text/html' }));
    const ask = (url: string, ...more: string[]): Promise<Ended> =>
      run(['test', '--tasks', 'all', '--url', url, ...more], { env: envOf(server) });
    expect(await ask('http://127.0.0.1:1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 cannot be reached.*\.\n$/) as string,
    });
    expect(await ask(new URL(other.url).origin)).toMatchObject({
      code: 2,
      stderr: `${new URL(other.url).origin} does not seem to be a Touchstone server; check --url (or TOUCHSTONE_URL).\n`,
    });
    const rejected = await ask(`http://127.0.0.1:${port}/`, '--api-key', 'sk_wrong');
    expect(rejected).toMatchObject({ code: 2, stderr: expect.stringContaining(' answered 401: ') as string });
    expect(rejected.stderr).not.toContain('sk_wrong');
    await other.close();
  });
});

describe('waiting', () => {
  it('ends when the time is up: what has ended is reported, the rest is cancelled', async () => {
    app.behave((received, response) => {
      if (received.body.includes('Peru')) hang(received, response);
      else void capitals(received, response);
    });
    const junit = join(folder, 'late.xml');
    let taskId = '';
    let ended: Ended | undefined;
    const row = /^Capitals +2 +1 of 2 +100 % .* 0 +1 +0$/m;
    // On a machine that is busy, one test may need longer than the first limit.
    for (const limit of ['6s', '60s']) {
      taskId = await capitalsTask();
      ended = await gate('--tasks', taskId, '--timeout', limit, '--junit', junit);
      if (row.test(ended.stdout)) break;
    }
    expect(ended).toMatchObject({
      code: 2,
      stderr: 'The time limit (--timeout) is over; unfinished tests are cancelled.\n',
    });
    expect(ended?.stdout).toMatch(row);
    const states = (await testsOf(taskId)).map(({ status, failure }) => failure?.code ?? status);
    expect(states.sort()).toEqual(['COMPLETED', 'cancelled']);
    const [suite, problem] = suitesOf(readFileSync(junit, 'utf8'));
    expect(suite).toMatchObject({ name: 'Capitals', tests: '2', errors: '1' });
    expect(problem).toMatchObject({ name: 'touchstone test', errors: '1' });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends with %s, which cancels the tests: code %d', async (signal, code) => {
    app.behave(hang);
    const taskId = await capitalsTask();
    await using program = start(['test', '--tasks', taskId, '--repeat', '6'], { env: envOf(server) });
    await program.sees(/^Started/m);
    program.child.kill(signal);
    expect(await program.ended).toMatchObject({
      code,
      stderr: 'Interrupted; unfinished tests are cancelled.\n',
    });
    const tests = await testsOf(taskId);
    expect(tests).toHaveLength(12);
    for (const { failure } of tests) expect(failure?.code).toBe('cancelled');
  });

  it('survives a connection that is lost and a server that is busy', async () => {
    const proxy = await startProxy(server.url);
    app.behave(async (received, response) => {
      proxy.fail(3);
      await new Promise((resolve) => proxy.server.once('recovered', resolve));
      void answerWith(() => 'Paris')(received, response);
    });
    const ended = await run(
      ['test', '--tasks', await capitalsTask(), '--examples', 'in-turn', '--url', proxy.url],
      {
        env: envOf(server),
      },
    );
    proxy.server.close();
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(
      /^http:\S+ (?:cannot be reached \(\w+\); check .*|answered 503: Busy)\. Retrying\.\n$/,
    );
  });

  it('shows on a terminal how far it is, in one line', async () => {
    const args = ['test', '--tasks', await capitalsTask(), '--fail-under', '50'];
    const { code, stdout } = await run(args, { env: envOf(server), terminal: true });
    expect(code).toBe(0);
    const [, progress = ''] = /task\.\n(.*?)\nTASK/s.exec(stdout) ?? [];
    const [nothing, ...lines] = progress.split('\r\u001B[K');
    expect([nothing, lines.at(-1)]).toEqual(['', '']);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[012] of 2 tests ended after \d+ s$/);
  });
});

interface Proxy {
  url: string;
  server: Server;
  /** The next calls fail, alternately by a broken connection and by 503. */
  fail: (count: number) => void;
}

/** Passes calls on, until it is made to fail; emits `recovered` when it has failed often enough. */
async function startProxy(to: string): Promise<Proxy> {
  let failures = 0;
  const proxy = createServer((request, response) => {
    if (failures > 0) {
      failures -= 1;
      if (failures === 0) proxy.emit('recovered');
      if (failures % 2 === 0) request.socket.destroy();
      else response.writeHead(503, { 'content-type': 'application/json' }).end('{"message":"Busy"}');
      return;
    }
    const { method, headers } = request;
    const passed = httpRequest(`${to}${request.url}`, { method, headers }, (answered: IncomingMessage) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(response);
    });
    request.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server: proxy, fail: (count) => (failures = count) };
}
