/** The commands that read a server: traces, trace, tasks, tests, issues and run. */
import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTrace } from '../../src/cli/trace-tree.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run } from '../support/process.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';

let server: TestServer;
let app: CustomerApp;
let tenant: Tenant;
let taskId: string;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 100, orphanQuietMs: 400, traceDeadlineMs: 1_000 } });
  app = await startCustomerApp();
  tenant = await server.newTenant();
  app.behave(async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    await sendTrace(testId, prompt);
    response.writeHead(200).end();
  });
  await post('/v0/webhook', { url: app.url });
  const { task } = (await post('/v0/tasks', {
    title: 'Capitals',
    type: 'STATIC',
    inputExamples: ['Of France?'],
  })) as { task: { id: string } };
  taskId = task.id;
});
afterAll(async () => {
  await app.close();
  await server.close();
});

async function post(path: string, body: object): Promise<unknown> {
  const { status, json, text } = await server.call('POST', path, { headers: tenant.headers, body });
  expect(status, text).toBeLessThan(300);
  return json;
}

async function sendTrace(testId: string, input: string): Promise<string> {
  const event = { type: 'trace', timestamp: new Date().toISOString(), testId, input, output: 'Paris' };
  const { data } = (await post('/v0/ingest', { events: [event] })) as { data: { id: string }[] };
  return String(data[0]?.id);
}

const command = (...args: string[]): Promise<Ended> =>
  run(args, {
    env: {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: tenant.apiKey,
      TOUCHSTONE_APPLICATION_ID: tenant.applicationId,
    },
  });

it('run tests a task, waits, and shows the test, whose trace can be drawn by the id of the test', async () => {
  const ran = await command('run', taskId);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toMatch(/^Started 1 test of 1 task\.$/m);
  const [, testId = ''] = /^([\da-f-]{36}) .* COMPLETED +done +- +Of France\?$/m.exec(ran.stdout) ?? [];
  expect(ran.stdout).toMatch(new RegExp(`: node .* trace ${testId}\n$`));

  const drawn = await command('trace', testId);
  expect(drawn).toMatchObject({ code: 0, stderr: '' });
  expect(drawn.stdout).toMatch(
    /^asked {5}Of France\?\nanswered {2}Paris\nin all {4}0 spans, 0 ms, 0 \+ 0 tokens\n$/,
  );

  const json = await command('run', taskId, '--json');
  const [test] = (JSON.parse(json.stdout) as { data: { status: string; taskId: string }[] }).data;
  expect(test).toMatchObject({ status: 'COMPLETED', taskId });

  const tests = await command('tests', '--task', taskId, '--status', 'completed');
  expect(tests.stdout).toContain(testId);
  expect(tests.stdout).toMatch(/\n2 of 2 tests\. Draw one: /);
});

it('run ends with 1 and says why when a test could not be run', async () => {
  app.behave((_received, response) => response.writeHead(500).end());
  const { code, stdout } = await command('run', taskId);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^[\da-f-]{36} failed: .*500/m);
});

it('traces lists one line for each trace, and counts them', async () => {
  const other = await server.newTenant();
  const call = (...args: string[]): Promise<Ended> =>
    command(...args, '--api-key', other.apiKey, '--application-id', other.applicationId);
  expect((await call('traces')).stdout).toBe('There is no such trace yet.\n');
  tenant = other;
  const id = await sendTrace(randomUUID(), 'a\n\u001b question');
  const { stdout } = await call('traces');
  expect(stdout).toMatch(new RegExp(`^${id} .* a question$`, 'm'));
  expect(stdout).toMatch(/\n1 of 1 trace\. Draw one: /);
  const { data } = JSON.parse((await call('traces', '--json')).stdout) as { data: object[] };
  expect(data).toMatchObject([{ id }]);
  const { trace, spans } = JSON.parse((await call('trace', id, '--json')).stdout) as {
    trace: object;
    spans: object[];
  };
  expect(trace).toMatchObject({ id, output: 'Paris' });
  expect(spans).toEqual([]);
});

it('issues lists those that are open, and shows one with what its resolution needs', async () => {
  await post('/v0/issues', { source: 'API', title: 'Says Rome', priority: 'HIGH', description: 'Odd.' });
  await post('/v0/issues', { source: 'API', title: 'Says Oslo' });
  await post('/v0/issues/2/reject', { reason: 'It is right.' });
  const listed = await command('issues');
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(/^1 +OPEN +HIGH +- +seen 0 times +Says Rome$/m);
  expect(listed.stdout).not.toContain('Says Oslo');
  expect((await command('issues', '--status', 'all')).stdout).toMatch(/^2 +REJECTED .* Says Oslo$/m);
  const { stdout } = await command('issues', '#1');
  expect(stdout).toMatch(/^Issue 1: Says Rome\nOPEN, priority HIGH, seen 0 times\n\nOdd\.\n/);
  expect(stdout).toMatch(/^EVALUATOR +no +No evaluator detects the problem\.$/m);
  const json = JSON.parse((await command('issues', '1', '--json')).stdout) as { evidence: object[] };
  expect(json).toMatchObject({ issue: { number: 1 } });
  expect(json.evidence).toHaveLength(5);
});

it('issues are created, linked, noted, resolved, reopened, rejected and merged by commands', async () => {
  const other = await server.newTenant();
  const call = async (...args: string[]): Promise<string> => {
    const ended = await command(
      'issues',
      ...args,
      '--api-key',
      other.apiKey,
      '--application-id',
      other.applicationId,
    );
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    return ended.stdout;
  };
  tenant = other;
  const [first, second] = [await sendTrace(randomUUID(), 'One'), await sendTrace(randomUUID(), 'Two')];
  expect(await call('create', 'Says Rome', '--priority', 'high', '--trace', first)).toBe(
    'Created issue 1: Says Rome\n',
  );
  expect(await call('create', 'A part of it', '--parent', '#1')).toBe('Created issue 2: A part of it\n');
  expect(await call('link', '1', second)).toBe('Linked 1 of 1 trace to issue 1.\n');
  expect(await call('link', '1', '--query', 'input:One')).toMatch(
    /^Linked 0 of 1 trace to issue 1\.\n {2}\S+ ALREADY\n$/,
  );
  expect(await call('note', second, 'It is Paris.', '--issue', '2')).toMatch(
    /^Wrote note \S+, and linked it to issue 2\.\n$/,
  );
  expect(await call('resolve', '1', '--without-evidence', '--reason', 'Gone')).toBe(
    'Resolved issue 1 without evidence: Says Rome\n',
  );
  expect(await call('reopen', '1', '--reason', 'Back')).toBe('Reopened issue 1: Says Rome\n');
  expect(await call('merge', '2', '--into', '1')).toBe('Merged issue 2 into issue 1: A part of it\n');
  const activity = await call('activity', '1');
  expect(activity).toMatch(/ MERGED .* from issue 2$/m);
  expect(activity).toMatch(/ RESOLVED .* without evidence; Gone$/m);
  const json = JSON.parse(await call('reject', '1', '--reason', 'Right', '--json')) as object;
  expect(json).toMatchObject({ data: { number: 1, status: 'REJECTED', rejection: { reason: 'Right' } } });
});

describe('wrong arguments', () => {
  it.each([
    [['trace'], 'trace takes one id, of a trace or of a test; see traces and tests.'],
    [['trace', 'x'], 'trace takes one id, of a trace or of a test, not "x"; see traces and tests.'],
    [['traces', 'x'], 'traces takes no "x"; see help traces.'],
    [['traces', '--limit', '0'], '--limit must be a number from 1 to 100, not "0".'],
    [['traces', '--sesion', 'x'], 'Unknown flag --sesion; did you mean --session?'],
    [
      ['tests', '--status', 'DONE'],
      '--status must be one of PENDING, IN_PROGRESS, COMPLETED, FAILED, not "DONE".',
    ],
    [['tests', '--task', 'x'], '--task must be an id; got "x".'],
    [['issues', 'create'], 'issues create takes one title; put it in quotes.'],
    [['issues', 'create', 'x', '--priority', 'x'], '--priority must be one of LOW, MEDIUM, HIGH, not "x".'],
    [['issues', 'link', '1'], 'issues link takes ids of traces, or --query, or --notes.'],
    [['issues', 'resolve', 'x'], 'issues resolve takes the number or the id of one issue, not "x".'],
    [['issues', 'resolve', '1', '--without-evidence'], '--without-evidence needs a --reason.'],
    [['issues', 'reject', '1'], 'issues reject needs a --reason.'],
    [['issues', 'merge', '1'], 'issues merge needs --into with the number of the other.'],
    [['issues', 'x'], 'issues takes the number or the id of one issue, not "x".'],
    [['issues', '--status', 'x'], '--status must be one of OPEN, RESOLVED, REJECTED or all, not "x".'],
    [['run'], 'run takes 1 to 100 ids of tasks; see tasks.'],
    [['run', 'x'], 'run takes ids of tasks, not "x"; see tasks.'],
    [['trase', 'x'], 'Unknown command "trase"; did you mean trace? See help.'],
  ])('%j fails in one sentence', async (args, sentence) => {
    expect(await command(...args)).toEqual({ code: 1, signal: null, stdout: '', stderr: `${sentence}\n` });
  });

  it('an unknown trace is named', async () => {
    const id = randomUUID();
    const { code, stderr } = await command('trace', id);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^There is no trace ${id}, and no trace of a test with this id\\.`));
  });
});

it('a trace is drawn with its errors, without what is unknown, and with placeholders of missing parents', () => {
  const trace = {
    id: 'a',
    timestamp: '2026-01-31T12:00:00.000Z',
    durationMs: 0,
    input: { question: 'why' },
    output: null,
    spanCount: 3,
    errorCount: 1,
    cost: null,
    usage: { promptTokens: 0, completionTokens: 0 },
    steps: [],
  };
  const startTime = '2026-01-31T11:59:59.000Z';
  const spans = [
    { id: '1', depth: 0 },
    { id: '2', depth: 1, name: 'find', kind: 'TOOL', startTime, durationMs: 5, status: { code: 'ERROR' } },
  ];
  const lines = stripVTControlCharacters(drawTrace(trace, spans))
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' ').trim());
  expect(lines.slice(0, 3)).toEqual([
    'asked {"question":"why"}',
    'answered -',
    'in all 3 spans, 1 error, 0 ms, 0 + 0 tokens',
  ]);
  expect(lines.slice(5)).toEqual([
    '(not received)',
    expect.stringMatching(/^TOOL find █+ 5 ms error$/),
    'and 1 more',
  ]);
});
