import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { answering, createRule, createTaskOf, promptsOf, reaches } from '../resources/run-set-support.ts';
import { type CustomerApp, hang, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { uuid } from '../support/spans.ts';

/** Further ways in which a gate could open, or stay closed, by mistake; the others are in `test-gates.test.ts`. */
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

interface Result {
  code: number;
  out: string;
  err: string;
}

async function gate(args: readonly string[], env: Record<string, string> = {}): Promise<Result> {
  const result = { code: -1, out: '', err: '' };
  result.code = await runCommandLine(['test', ...args], {
    env: {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
      ...env,
    },
    out: (text) => Boolean((result.out += text)),
    err: (text) => Boolean((result.err += text)),
    isTerminal: false,
    program: 'touchstone',
  });
  return result;
}

const answer = (isRight: (prompt: string) => boolean): void =>
  answering(server, app, (prompt) => (isRight(prompt) ? 'right' : 'wrong'));
const all = (): boolean => true;

/** Starts a run set by API, and returns its id when it has ended. */
async function setOf(body: object): Promise<string> {
  const { status, json, text } = await server.call('POST', '/v0/run-sets', { body });
  expect(status, text).toBe(201);
  const { id } = (json as { data: { id: string } }).data;
  await reaches(server, id, 'COMPLETED');
  return id;
}

/** A task, a baseline that was all right, and the flags that compare with it. */
async function compared(
  count: number,
  name: string,
): Promise<{ rule: string; task: string; args: string[] }> {
  const rule = await createRule(server);
  const task = await createTaskOf(server, promptsOf(count, name), [rule]);
  answer(all);
  const baseline = await setOf({ taskIds: [task], examples: {} });
  const flags = '--fail-under 0 --no-regression --find-loss 90'.split(' ');
  return { rule, task, args: ['--tasks', task, '--baseline', baseline, ...flags] };
}

const TASK = uuid(0xabc);
describe('a gate whose flags are wrong starts nothing and is unknown', () => {
  it.each<[string, string[], RegExp]>([
    ['a line that may be a share', ['--tasks', TASK, '--fail-under', '0.6'], /may be meant as a share/],
    ['a line that may be all', ['--tasks', TASK, '--fail-under', '1'], /write 100 or 1%/],
    [
      'a line above 100 %',
      ['--tasks', TASK, '--fail-under', '101'],
      /--fail-under must be a number from 0 to 100/,
    ],
    ['a margin without a comparison', ['--tasks', TASK, '--margin', '5'], /--margin needs --no-regression/],
    [
      'a share of pairs without one',
      ['--tasks', TASK, '--min-paired', '5'],
      /--min-paired needs --no-regression/,
    ],
    [
      'a comparison without a baseline',
      ['--tasks', TASK, '--no-regression'],
      /--no-regression needs --baseline/,
    ],
    ['a baseline that names nothing', ['--tasks', TASK, '--baseline', 'main'], /--baseline must be the id/],
    [
      'judging again without a comparison',
      ['--tasks', TASK, '--rejudge-baseline'],
      /--rejudge-baseline needs --baseline/,
    ],
    [
      'statistics of a fixed size until sure',
      ['--tasks', TASK, '--until-sure', '--strict'],
      /cannot be combined with --strict/,
    ],
    [
      'a comparison until sure',
      ['--tasks', TASK, '--until-sure', '--baseline', TASK],
      /cannot be combined with --baseline/,
    ],
    ['until sure that all pass', ['--tasks', TASK, '--until-sure'], /needs --fail-under between 0 and 100/],
    ['a limit without until sure', ['--tasks', TASK, '--max', '5'], /--max needs --until-sure/],
    ['no tasks', ['--tasks', ','], /--tasks must be/],
    ['no such task', ['--tasks', TASK], /There is no task/],
    ['no such question', ['--tasks', TASK, '--question', 'all'], /--question must be/],
    ['an empty branch', ['--tasks', TASK, '--branch', ' '], /--branch must not be empty/],
  ])('%s', async (_name, args, message) => {
    const { code, err } = await gate(args);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it.each<[string, Record<string, string>]>([
    ['no server', { TOUCHSTONE_URL: 'http://127.0.0.1:9' }],
    ['a wrong key', { TOUCHSTONE_API_KEY: 'sk_wrong' }],
  ])('%s', async (_name, env) => {
    const { code, err } = await gate(['--tasks', TASK, '--timeout', '3s'], env);
    expect(err).not.toBe('');
    expect(code).toBe(2);
  });
});

describe('the line', () => {
  it.each<[string, () => Promise<string[]>, 0 | 1 | 2, RegExp]>([
    [
      'is not met by tests that nothing judges',
      async () => ['--tasks', await createTaskOf(server, promptsOf(2, 'Unjudged'), [])],
      2,
      /^Unknown: no test was judged/m,
    ],
    [
      'is not met by tests that a draft would judge',
      async () => {
        const draft = await createRule(server, { status: 'DRAFT' });
        return ['--tasks', await createTaskOf(server, promptsOf(2, 'Drafted'), [draft])];
      },
      2,
      /judges nothing: its status is DRAFT/,
    ],
    [
      'is not met where no judge is configured',
      async () => {
        const judged = await createRule(server, {
          type: 'CUSTOM',
          globalConfig: { criterion: 'Is it right?' },
        });
        return ['--tasks', await createTaskOf(server, promptsOf(2, 'Judgeless'), [judged])];
      },
      2,
      /^    Judgeless 0\?: no judge is configured$[^]*^Unknown: all definitions that apply are advisory/m,
    ],
    [
      'is not met where nothing is expected',
      async () => {
        const match = await createRule(server, { type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } });
        const task = await createTaskOf(server, promptsOf(2, 'Unexpected'), [
          match,
          await createRule(server),
        ]);
        return ['--tasks', task];
      },
      2,
      /^Unknown: judged 0 of 2 tests .*--allow-skipped 2 accepts that/m,
    ],
    [
      'may be met where that is accepted',
      async () => {
        const match = await createRule(server, { type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } });
        const task = await createTaskOf(server, promptsOf(2, 'Accepted'), [match, await createRule(server)]);
        return ['--tasks', task, '--allow-skipped', '2'];
      },
      0,
      /^Passed: /m,
    ],
    [
      'is met at the line',
      async () => {
        answer((prompt) => !prompt.endsWith(' 0?'));
        return [
          '--tasks',
          await createTaskOf(server, promptsOf(10, 'At'), [await createRule(server)]),
          '--fail-under',
          '90',
        ];
      },
      0,
      /^Passed: the pass rate 90 %/m,
    ],
    [
      'is not met below it, by one tenth',
      async () => {
        answer((prompt) => !prompt.endsWith(' 0?'));
        return [
          '--tasks',
          await createTaskOf(server, promptsOf(10, 'Below'), [await createRule(server)]),
          '--fail-under',
          '90.1',
        ];
      },
      1,
      /^Failed: the pass rate 90 % .* is below 90\.1 %/m,
    ],
    [
      'is not surely met by few examples',
      async () => [
        '--tasks',
        await createTaskOf(server, promptsOf(4, 'Few'), [await createRule(server)]),
        '--fail-under',
        '80',
        '--strict',
      ],
      1,
      /^Failed: the lower bound of the pass rate/m,
    ],
    [
      'is not met where one of two definitions fails',
      async () => {
        const never = await createRule(server, {
          globalConfig: { assertions: [{ type: 'equals', value: 'never' }] },
        });
        return [
          '--tasks',
          await createTaskOf(server, promptsOf(2, 'Half'), [await createRule(server), never]),
        ];
      },
      1,
      /^Failed: the pass rate 50 %/m,
    ],
    [
      'counts an empty output as failed, not as skipped',
      async () => {
        answering(server, app, () => '');
        return ['--tasks', await createTaskOf(server, promptsOf(2, 'Empty'), [await createRule(server)])];
      },
      1,
      /^Failed: the pass rate 0 %/m,
    ],
    [
      'counts what the app rejects as failed',
      async () => {
        app.behave((_received, response) => response.writeHead(500).end());
        return ['--tasks', await createTaskOf(server, promptsOf(2, 'Broken'), [await createRule(server)])];
      },
      1,
      /^Failed: the pass rate 0 %/m,
    ],
    [
      'is unknown when the time is over',
      async () => {
        app.behave(hang);
        return [
          '--tasks',
          await createTaskOf(server, promptsOf(2, 'Late'), [await createRule(server)]),
          '--timeout',
          '2s',
        ];
      },
      2,
      /^The time limit \(--timeout\) is over; unfinished tests are cancelled\.$/m,
    ],
    [
      'is not met by an app that is right two times of three',
      async () => {
        let count = 0;
        answering(server, app, () => (count++ % 3 === 0 ? 'wrong' : 'right'));
        return [
          '--tasks',
          await createTaskOf(server, promptsOf(1, 'Flaky'), [await createRule(server)]),
          '--repeat',
          '3',
        ];
      },
      1,
      /^Failed: the pass rate 66\.6 %/m,
    ],
    [
      'hides no small task behind a large one where tasks have equal weight',
      async () => {
        answer((prompt) => !prompt.startsWith('Small'));
        const rule = await createRule(server);
        const tasks = [
          await createTaskOf(server, promptsOf(9, 'Large'), [rule]),
          await createTaskOf(server, promptsOf(1, 'Small'), [rule]),
        ];
        return ['--tasks', tasks.join(','), '--fail-under', '80', '--equal-tasks'];
      },
      1,
      /^Failed: the pass rate 50 %/m,
    ],
    [
      'is not met by an archived task',
      async () => {
        const task = await createTaskOf(server, promptsOf(1, 'Archived'), [await createRule(server)]);
        await server.ok('PUT', `/v0/tasks/${task}`, { body: { status: 'ARCHIVED' } });
        return ['--tasks', task];
      },
      2,
      /is archived/,
    ],
  ])('%s', async (_name, prepare, expected, message) => {
    answer(all);
    const { code, out, err } = await gate(await prepare());
    expect(out + err).toMatch(message);
    expect(code).toBe(expected);
  });

  it('is not tested by a key that may not start tests', async () => {
    const task = await createTaskOf(server, promptsOf(1, 'Read only'), [await createRule(server)]);
    const headers = await server.newKey(['read']);
    const key = String(Object.entries(headers).find(([name]) => name.includes('key'))?.[1]);
    const { code, err } = await gate(['--tasks', task], { TOUCHSTONE_API_KEY: key });
    expect(err).toContain('scope');
    expect(code).toBe(2);
  });

  it('has the same code in the JSON output', async () => {
    answer(() => false);
    const task = await createTaskOf(server, promptsOf(2, 'As JSON'), [await createRule(server)]);
    const { code, out } = await gate(['--tasks', task, '--json']);
    expect(JSON.parse(out)).toMatchObject({ code: 1, decision: { outcome: 'FAIL' } });
    expect(code).toBe(1);
  });
});

describe('a comparison', () => {
  it.each<[string, () => Promise<string[]>, 0 | 1 | 2, RegExp]>([
    [
      'of an app that did not change passes',
      async () => (await compared(6, 'Same')).args,
      0,
      /^No regression/m,
    ],
    [
      'of a better app passes',
      async () => {
        const task = await createTaskOf(server, promptsOf(8, 'Better'), [await createRule(server)]);
        answer((prompt) => !/[01]\?$/.test(prompt));
        const baseline = await setOf({ taskIds: [task], examples: {} });
        answer(all);
        return [
          '--tasks',
          task,
          '--fail-under',
          '0',
          '--baseline',
          baseline,
          '--no-regression',
          '--find-loss',
          '90',
        ];
      },
      0,
      /^No regression/m,
    ],
    [
      'of a broken app fails',
      async () => {
        const { args } = await compared(6, 'Worse');
        answer(() => false);
        return args;
      },
      1,
      /^Failed: worse than the baseline/m,
    ],
    [
      'of a loss within the margin passes',
      async () => {
        const { args } = await compared(20, 'Margin');
        answer((prompt) => !prompt.endsWith(' 0?'));
        return [...args, '--margin', '20'];
      },
      0,
      /^No regression of more than 20 points/m,
    ],
    [
      'with one example more than the baseline passes',
      async () => {
        const { args, task } = await compared(8, 'One more');
        await server.ok('POST', `/v0/tasks/${task}/examples`, { body: { input: 'New?' } });
        return args;
      },
      0,
      /not compared: New\? \(not tested in the baseline\)/,
    ],
    [
      'with one example more is unknown where all must be compared',
      async () => {
        const { args, task } = await compared(8, 'One too many');
        await server.ok('POST', `/v0/tasks/${task}/examples`, { body: { input: 'New?' } });
        return [...args, '--min-paired', '100'];
      },
      2,
      /^Unknown: only 88\.\d* % of what was tested/m,
    ],
    [
      'with a run set of another task is unknown',
      async () => {
        const { args } = await compared(6, 'Other');
        args[1] = await createTaskOf(server, promptsOf(6, 'This'), [await createRule(server)]);
        return args;
      },
      2,
      /^Unknown: nothing could be compared/m,
    ],
    [
      'with a run set that tested until it was sure is rejected',
      async () => {
        const task = await createTaskOf(server, promptsOf(6, 'Sure'), [await createRule(server)]);
        const baseline = await setOf({ taskIds: [task], untilSure: {} });
        return ['--tasks', task, '--fail-under', '0', '--baseline', baseline, '--no-regression'];
      },
      2,
      /tests until it is sure/,
    ],
    [
      'with the branch of a run set that only failed is unknown',
      async () => {
        const task = await createTaskOf(server, promptsOf(1, 'Down'), [await createRule(server)]);
        app.behave((_received, response) => response.writeHead(500).end());
        await gate(['--tasks', task, '--branch', 'down']);
        return ['--tasks', task, '--baseline', 'branch:down', '--no-regression'];
      },
      2,
      /No completed run set of the branch "down" was found/,
    ],
    [
      'with a stricter definition is judged again on request, at a cost that is said first',
      async () => {
        const { rule, args } = await compared(6, 'Stricter');
        const globalConfig = { assertions: [{ type: 'contains', value: 'right' }] };
        await server.ok('PUT', `/v0/definitions/${rule}`, { body: { globalConfig } });
        return [...args, '--rejudge-baseline'];
      },
      0,
      /^Judges the baseline again, because 6 pairs .*: 6 verdicts, which cost nothing before\.$[^]*^No regression/m,
    ],
    [
      'judged again of a broken app fails, though the definition was loosened',
      async () => {
        const { rule, args } = await compared(6, 'Looser');
        const globalConfig = { assertions: [{ type: 'contains', value: 'righ' }] };
        await server.ok('PUT', `/v0/definitions/${rule}`, { body: { globalConfig } });
        answer(() => false);
        return [...args, '--rejudge-baseline'];
      },
      1,
      /^Failed: worse than the baseline/m,
    ],
    [
      'by a definition that was unlinked since says what to do, also when it is judged again',
      async () => {
        const [rule, gone] = [await createRule(server), await createRule(server, { name: 'Gone since' })];
        const task = await createTaskOf(server, promptsOf(6, 'Unlinked since'), [rule, gone]);
        answer(all);
        const baseline = await setOf({ taskIds: [task] });
        const body = { evalIds: [gone], taskIds: [task] };
        await server.call('POST', '/v0/definitions/unlink', { body });
        return ['--tasks', task, '--baseline', baseline, '--no-regression', '--rejudge-baseline'];
      },
      2,
      /^Unknown: .*The baseline was also judged by Gone since, which judged nothing here, .*: link it again, or take a baseline that was started without it\.$/m,
    ],
    [
      'is not judged again without need',
      async () => [...(await compared(6, 'Needless')).args, '--rejudge-baseline'],
      0,
      /--rejudge-baseline has nothing to do/,
    ],
  ])('%s', async (_name, prepare, expected, message) => {
    const { code, out, err } = await gate(await prepare());
    expect(out + err).toMatch(message);
    expect(code, out + err).toBe(expected);
  });
});
