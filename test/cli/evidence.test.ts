import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../src/resources/run-sets/evidence-verify.ts';
import { answering, createRule, createTaskOf, promptsOf, reaches } from '../resources/run-set-support.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let app: CustomerApp;
let folder: string;
let id: string;
let text: string;
const touchstone = (args: readonly string[]): Promise<Ended> =>
  run([...args], {
    env: {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
    },
  });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 400, traceDeadlineMs: 20_000 } });
  app = await startCustomerApp();
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
  const taskIds = [await createTaskOf(server, promptsOf(25, 'Evidence'), [await createRule(server)])];
  const start = async (body: object): Promise<string> => {
    const { data } = await server.ok('POST', '/v0/run-sets', { body: { taskIds, examples: {}, ...body } });
    await reaches(server, data.id, 'COMPLETED');
    return data.id;
  };
  answering(server, app, () => 'right');
  const baseline = await start({ branch: 'main' });
  answering(server, app, (prompt) => (prompt.endsWith('1?') ? 'wrong' : 'right'));
  id = await start({ branch: 'topic', baseline });
});
afterAll(async () => {
  await app.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('evidence', () => {
  it('needs a decision that was recorded', async () => {
    const ended = await touchstone(['evidence', id]);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('No decision on the run set was recorded');
  });

  it('is verified without the server, and has what was sent, done and judged on both sides', async () => {
    await server.ok('POST', `/v0/run-sets/${id}/decision?failUnder=80&margin=20&findLoss=90`);
    const { stdout, code } = await touchstone(['evidence', id]);
    expect(code).toBe(0);
    text = stdout;
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const tests = lines.filter(({ type }) => type === 'test');
    for (const side of ['candidate', 'baseline'])
      expect(tests.filter((test) => test['side'] === side)).toHaveLength(25);
    expect(tests[0]?.['test']).toMatchObject({
      prompt: expect.stringContaining('Evidence') as string,
      exampleVersion: 1,
      judged: { output: expect.stringMatching(/right|wrong/) as string },
      evals: [{ definitionVersion: 1, status: 'COMPLETED' }],
    });
    const file = join(folder, 'evidence.jsonl');
    writeFileSync(file, text);
    const { fingerprint } = (await server.ok('GET', '/v0/evidence-key')).data;
    const verified = await run(['evidence', 'verify', file, '--key', fingerprint]);
    expect(verified.code, verified.stderr).toBe(0);
    expect(verified.stdout).toContain(`run set ${id} follows from its inputs; 25 tests`);
    const { data } = await server.ok('GET', `/v0/run-sets/${id}/decision?failUnder=80&margin=20&findLoss=90`);
    expect(verifyEvidence(readFileSync(file, 'utf8'))).toMatchObject({
      outcome: data.outcome,
      reasons: data.reasons,
    });
    const asJson = await run(['evidence', 'verify', file, '--json']);
    expect(asJson).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(asJson.stdout)).toMatchObject({ fault: null, runSetId: id, fingerprint });
    const other = await run(['evidence', 'verify', file, '--key', 'ab'.repeat(32)]);
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('it was signed by the key');
  });

  it('in which one byte was changed is rejected, wherever it is', () => {
    expect(verifyEvidence(text)).toMatchObject({ fault: null });
    const bytes = Buffer.from(text);
    for (let i = 0; i < 200; i++) {
      const at = i === 0 ? bytes.length - 1 : Math.floor((bytes.length * i) / 200);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifyEvidence(changed.toString()).fault, `byte ${at}`).not.toBeNull();
    }
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ['a line was removed', (lines) => lines.toSpliced(5, 1), /the header names another number/],
    [
      'lines were exchanged',
      (lines) => [...lines.slice(0, -3), ...lines.slice(-3, -1).reverse(), ...lines.slice(-1)],
      /was changed/,
    ],
    ['the signature is missing', (lines) => lines.slice(0, -1), /no signature/],
    ['it is empty', () => [], /no bundle/],
  ])('in which %s is rejected', (_name, change, fault) => {
    const lines = text.trimEnd().split('\n');
    expect(verifyEvidence(`${change(lines).join('\n')}\n`).fault).toMatch(fault);
  });

  it('that is truncated is rejected', () => {
    expect(verifyEvidence(text.slice(0, -1)).fault).toMatch(/truncated/);
  });
});
