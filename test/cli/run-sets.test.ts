import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { provenanceOf } from '../../src/cli/test-provenance.ts';
import { answering, createRule, createTaskOf, promptsOf } from '../resources/run-set-support.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let app: CustomerApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 400, traceDeadlineMs: 20_000 } });
  app = await startCustomerApp();
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await app.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const gate = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  run(['test', ...args], {
    env: {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
      ...env,
    },
  });
const setOf = ({ stdout }: Ended): string => /^Run set (\S+)\.$/m.exec(stdout)?.[1] ?? '';

it('one command makes one run set, whose id is in the text, the JSON, JUnit and Markdown', async () => {
  const rule = await createRule(server);
  const tasks = [
    await createTaskOf(server, promptsOf(6, 'First'), [rule]),
    await createTaskOf(server, promptsOf(6, '@all <b>second</b> https://evil.example www.evil.example'), [
      rule,
    ]),
  ];
  answering(server, app, () => 'right');
  const ci = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SHA: 'abc',
    GITHUB_REF_NAME: 'main',
    GITHUB_ACTOR: 'ada',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_RUN_ID: '7',
  };
  const first = await gate(['--tasks', tasks.join(','), '--title', 'Build 7'], ci);
  expect(first.code, first.stderr).toBe(0);
  const id = setOf(first);
  const { data: set } = await server.ok('GET', `/v0/run-sets/${id}`);
  expect(set).toMatchObject({
    title: 'Build 7',
    commit: 'abc',
    branch: 'main',
    author: 'ada',
    pullRequest: null,
    buildUrl: 'https://github.com/acme/shop/actions/runs/7',
    status: 'COMPLETED',
    decision: { outcome: 'PASS', rate: 100 },
  });
  expect(set.runIds).toHaveLength(2);

  answering(server, app, (prompt) => (prompt.startsWith('@') ? 'wrong' : 'right'));
  const [junit, markdown] = [join(folder, 'out.xml'), join(folder, 'reports/out.md')];
  const second = await gate([
    '--tasks',
    tasks.join(','),
    ...`--commit def --branch topic --baseline branch:main --no-regression --fail-under 0 --json`.split(' '),
    '--junit',
    junit,
    '--markdown',
    markdown,
  ]);
  expect(second.code, second.stderr).toBe(1);
  const json = JSON.parse(second.stdout) as {
    runSetId: string;
    decision: { outcome: string; gates: { message: string }[] };
    comparison: unknown;
  };
  expect(json.decision.outcome).toBe('FAIL');
  const { data: decision } = await server.ok(
    'GET',
    `/v0/run-sets/${json.runSetId}/decision?failUnder=0&margin=0`,
  );
  const { comparison, ...decided } = decision;
  expect(json.decision).toEqual(decided);
  expect(json.comparison).toEqual(comparison);
  expect(decision.baselineId).toBe(id);
  expect(readFileSync(junit, 'utf8').split(`name="runSetId" value="${json.runSetId}"`)).toHaveLength(3);
  const text = readFileSync(markdown, 'utf8');
  expect(text).toMatch(/^## ❌ Failed: 50 % of 12 tests of 2 tasks$/m);
  expect(text).toContain(json.runSetId);
  expect(text).toContain(`](${server.url}/tests/`);
  // Texts of the app mention no one, and are no HTML.
  expect(text).not.toContain('@all');
  expect(text).not.toContain('<b>');
  expect(text).not.toContain('https://evil');
  expect(text).not.toContain('www.evil');
  expect((await server.ok('GET', '/v0/run-sets?commit=def')).data.map((one) => one.id)).toEqual([
    json.runSetId,
  ]);
});

it('issues whose regression examples were tested are named, those that failed first', async () => {
  const rule = await createRule(server);
  const task = await createTaskOf(server, promptsOf(1, 'Plain'), [rule]);
  const issue = async (title: string): Promise<number> =>
    (await server.ok('POST', '/v0/issues', { body: { source: 'API', title } })).data.number;
  const [good, bad, other] = [
    await issue('Is slow'),
    await issue('Promises <b>refunds</b>'),
    await issue('Not tested'),
  ];
  const example = (number: number, input: string) =>
    server.ok('POST', `/v0/tasks/${task}/examples`, { body: { input, split: `issue-${number}` } });
  await example(good, 'Fine 1');
  await example(bad, 'Broken 1');
  await example(bad, 'Fine 2');
  await example(bad, 'Fine 3');
  answering(server, app, (prompt) => (prompt.startsWith('Broken') ? 'wrong' : 'right'));
  const markdown = join(folder, 'issues.md');
  const ended = await gate([
    '--tasks',
    task,
    '--examples',
    'all',
    '--fail-under',
    '10',
    '--markdown',
    markdown,
  ]);
  expect(ended.code, ended.stderr).toBe(0);
  const text = readFileSync(markdown, 'utf8');
  expect(text).toContain(`/issues/${bad}) | open | 1 of 3 failed | 0 |`);
  expect(text).toContain(`/issues/${good}) | open | 1 of 1 passed | 0 |`);
  expect(text.indexOf(`/issues/${bad})`)).toBeLessThan(text.indexOf(`/issues/${good})`));
  expect(text).not.toContain(`/issues/${other})`);
  expect(text).not.toContain('<b>');
  expect(ended.stdout).toContain(
    `#${bad} Promises <b>refunds</b> (open) – regression examples: 1 of 3 failed`,
  );

  // A resolved issue whose example fails in two runs in a row opens again, which the next command says.
  await server.ok('POST', `/v0/issues/${bad}/resolve`, { body: { withoutEvidence: true, reason: 'Fixed' } });
  const status = async () => (await server.ok('GET', `/v0/issues/${bad}`)).data.status;
  const args = ['--tasks', task, '--examples', `split:issue-${bad}`, '--fail-under', '10', '--json'];
  const sets: string[] = [];
  for (let runs = 0; runs < 5 && (await status()) === 'RESOLVED'; runs += 1) {
    const { stdout, stderr, code } = await gate(args);
    expect(code, stderr).toBe(0);
    const json = JSON.parse(stdout) as { runSetId: string; issues: object[] };
    expect(json.issues).toMatchObject([{ number: bad, examples: { passed: 2, failed: 1 } }]);
    sets.push(json.runSetId);
    if (runs > 0)
      await expect
        .poll(status, { timeout: 15_000 })
        .toBe('OPEN')
        .catch(() => undefined);
  }
  expect(await status()).toBe('OPEN');
  const last = sets.at(-1) as string;
  expect((await server.ok('GET', `/v0/run-sets/${last}/issues`)).data).toMatchObject([
    { number: bad, status: 'OPEN', wasReopened: true },
  ]);
});

it.each([
  ['branch:none', 'No completed run set of the branch "none" was found'],
  ['previous', 'No earlier completed run set of the branch "new" was found'],
  ['00000000-0000-4000-8000-00000000dead', 'There is no run or run set'],
])('the baseline %s that does not exist is unknown, and starts nothing', async (baseline, message) => {
  const task = await createTaskOf(server, promptsOf(1, 'None'), []);
  const ended = await gate(['--tasks', task, '--branch', 'new', '--baseline', baseline]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(message);
  expect((await server.ok('GET', `/v0/runs?taskId=${task}`)).pagination.total).toBe(0);
});

it.each([
  [
    'GitHub',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_SHA: 'a',
      GITHUB_HEAD_REF: 'topic',
      GITHUB_REF_NAME: '12/merge',
      GITHUB_REF: 'refs/pull/12/merge',
      GITHUB_ACTOR: 'ada',
      GITHUB_SERVER_URL: 'https://h',
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_RUN_ID: '1',
    },
    ['a', 'topic', '12', 'ada', 'https://h/o/r/actions/runs/1'],
  ],
  [
    'GitLab',
    {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: 'a',
      CI_COMMIT_REF_NAME: 'topic',
      CI_MERGE_REQUEST_IID: '12',
      GITLAB_USER_LOGIN: 'ada',
      CI_PIPELINE_URL: 'https://h/p/1',
    },
    ['a', 'topic', '12', 'ada', 'https://h/p/1'],
  ],
  [
    'Jenkins',
    { JENKINS_URL: 'https://h', GIT_COMMIT: 'a', GIT_BRANCH: 'origin/topic', BUILD_URL: 'https://h/1' },
    ['a', 'topic', null, null, 'https://h/1'],
  ],
  [
    'Azure',
    {
      TF_BUILD: 'True',
      BUILD_SOURCEVERSION: 'a',
      BUILD_SOURCEBRANCH: 'refs/heads/one/topic',
      BUILD_REQUESTEDFOR: 'Ada',
      SYSTEM_COLLECTIONURI: 'https://h/o/',
      SYSTEM_TEAMPROJECT: 'My project',
      BUILD_BUILDID: '1',
    },
    ['a', 'one/topic', null, 'Ada', 'https://h/o/My%20project/_build/results?buildId=1'],
  ],
  [
    'CircleCI',
    {
      CIRCLECI: 'true',
      CIRCLE_SHA1: 'a',
      CIRCLE_BRANCH: 'topic',
      CIRCLE_PULL_REQUEST: 'https://h/pull/12',
      CIRCLE_USERNAME: 'ada',
      CIRCLE_BUILD_URL: 'https://h/1',
    },
    ['a', 'topic', '12', 'ada', 'https://h/1'],
  ],
  [
    'Buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_COMMIT: 'a',
      BUILDKITE_BRANCH: 'topic',
      BUILDKITE_PULL_REQUEST: 'false',
      BUILDKITE_BUILD_CREATOR: 'ada',
      BUILDKITE_BUILD_URL: 'not an address',
    },
    ['a', 'topic', null, 'ada', null],
  ],
  ['no CI system', { CI_COMMIT_SHA: 'a' }, [null, null, null, null, null]],
])('the build is described by the variables of %s', (_name, env, expected) => {
  const { commit, branch, pullRequest, author, buildUrl } = provenanceOf(env);
  expect([commit, branch, pullRequest, author, buildUrl]).toEqual(expected);
});
