import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { otlpRequest } from '../support/spans.ts';

/**
 * Commands that print no result: they serve until they are ended, or print a text for a shell or a reader, or the JSON Lines
 * of a signed file.
 */
const WITHOUT_JSON = ['serve', 'listen', 'mcp', 'help', 'completion', 'evidence'];
/** Commands that are run by tests of their own, because they need more than a store. */
const ELSEWHERE = [
  'test',
  'run',
  'tail',
  'trace',
  'restore',
  'migrate rollback',
  'migrate',
  'migrate up',
  'evidence verify',
  'judges check',
  'copy',
];

let server: TestServer;
let folder: string;
let taskId: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-json-'));
  server = await startServer({ config: { dataDir: join(folder, 'data') } });
  const headers = { ...server.headers, 'content-type': 'application/x-protobuf' };
  const body = otlpRequest([{ id: 1 }]);
  await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body });
  const json = await server.ok('POST', '/v0/tasks', { body: { title: 'A', type: 'STATIC' } });
  taskId = json.task.id;
  writeFileSync(join(folder, 'rows.csv'), 'input,expected\na,b\n');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command with `--json`, on the server and on its folder; returns its only output. */
async function result(command: string, ...args: string[]): Promise<unknown> {
  const entry = COMMANDS[command];
  const ran = { out: '', err: '' };
  const env = {
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: server.apiKey,
    TOUCHSTONE_APPLICATION_ID: server.applicationId,
    TOUCHSTONE_DATA_DIR: server.folder,
  };
  const code = await runCommandLine([...command.split(' '), ...args, '--json'], {
    env: entry?.worksOn === 'store' ? { TOUCHSTONE_DATA_DIR: server.folder } : env,
    out: (text) => void (ran.out += text),
    err: (text) => void (ran.err += text),
    isTerminal: false,
    program: 'touchstone',
  });
  expect([code, ran.err]).toEqual([0, expect.not.stringMatching(/Unknown|must|needs/)]);
  return JSON.parse(ran.out);
}

/** Creates an issue, and returns its number. */
async function newIssue(): Promise<string> {
  const { data } = await server.ok('POST', '/v0/issues', { body: { source: 'API', title: 'Late refunds' } });
  return String(data.number);
}

async function firstTrace(): Promise<string> {
  const { data } = await server.ok('GET', '/v0/traces');
  return String(data[0]?.id);
}

describe('--json', () => {
  const file = (name: string): string => join(folder, name);
  const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
    traces: () => result('traces'),
    tasks: () => result('tasks'),
    tests: () => result('tests'),
    issues: () => result('issues'),
    'issues create': () => result('issues create', 'Late refunds'),
    'issues activity': async () => result('issues activity', await newIssue()),
    'issues reject': async () => result('issues reject', await newIssue(), '--reason', 'It is right'),
    'issues resolve': async () =>
      result('issues resolve', await newIssue(), '--without-evidence', '--reason', 'Prompt 16'),
    'issues reopen': async () => {
      const number = await newIssue();
      await result('issues reject', number, '--reason', 'It is right');
      return result('issues reopen', number);
    },
    'issues merge': async () => result('issues merge', await newIssue(), '--into', await newIssue()),
    'issues note': async () => result('issues note', await firstTrace(), 'The refund is late'),
    'issues link': async () => result('issues link', await newIssue(), await firstTrace()),
    export: () => result('export', 'traces', '--output', file('traces.otlp.jsonl')),
    'import traces': () => result('import traces', file('traces.otlp.jsonl')),
    import: () => result('import', file('rows.csv'), '--task', taskId),
    doctor: () => result('doctor', '--data-dir', server.folder),
    backup: () => result('backup', file('backup.db')),
    prune: () => result('prune', '--dry-run', '--days', '36500'),
    verify: () => result('verify'),
    erase: () => result('erase', '--user', 'nobody'),
    'migrate status': () => result('migrate status'),
    remap: () => result('remap'),
    mappings: () => result('mappings'),
    'mappings import': () => {
      writeFileSync(file('mappings.json'), '{ "rules": [{ "key": "acme.q", "field": "input" }] }');
      return result('mappings import', file('mappings.json'));
    },
    prices: () => result('prices', 'gpt-4o'),
    'prices check': () => {
      writeFileSync(file('prices.json'), '{ "acme": { "input": 1, "output": 2 } }');
      return result('prices check', file('prices.json'));
    },
    'prices apply': () => result('prices apply'),
    'keys create': () => result('keys create', '--name', 'x'),
    'keys first': () => {
      writeFileSync(join(server.folder, 'first-key'), 'sk_a\n');
      return result('keys first');
    },
    'keys list': () => result('keys list'),
    'keys revoke': async () => {
      const { keyId } = (await result('keys create')) as { keyId: string };
      return result('keys revoke', keyId);
    },
    'applications list': () => result('applications list'),
    'users list': () => result('users list'),
    'users link': () => result('users link'),
    'users invite': () => result('users invite', 'ada@example.com'),
    version: () => result('version'),
    'applications create': () => result('applications create', '--title', 'B'),
  };

  it.each(Object.entries(CASES))('%s prints one JSON value', async (_name, ran) => {
    expect(typeof (await ran())).toBe('object');
  });

  it('is offered by every command with a result, and tried here or in a test of the command', () => {
    const names = Object.keys(COMMANDS).filter((name) => !WITHOUT_JSON.includes(name));
    const without = names.filter((name) => !COMMANDS[name]?.usage.includes('--json'));
    expect(without).toEqual([]);
    // Those of users need a user, who accepts an invitation in a browser.
    const users = ['users role', 'users remove', 'users logins', 'users sign-out'];
    const untried = names.filter((name) => !(name in CASES) && ![...ELSEWHERE, ...users].includes(name));
    expect(untried).toEqual([]);
  });
});
