import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfLine } from '../../src/resources/run-sets/evidence-format.ts';
import { evidenceKeyOf } from '../../src/resources/run-sets/evidence-key.ts';
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
let rule0: string;
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
  rule0 = await createRule(server);
  const taskIds = [await createTaskOf(server, promptsOf(25, 'Evidence \u{FFFD}'), [rule0])];
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

/** Changes the first verdict of a line with a test. */
function withFirstEval(line: Record<string, unknown>, change: object): object {
  if (line['type'] !== 'test') return line;
  const test = line['test'] as { evals: object[] };
  return { ...line, test: { ...test, evals: test.evals.map((one) => ({ ...one, ...change })) } };
}

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
    expect(verifyEvidence(readFileSync(file))).toMatchObject({
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
    expect(verifyEvidence(Buffer.from(text))).toMatchObject({ fault: null });
    const bytes = Buffer.from(text);
    for (let i = 0; i < 200; i++) {
      const at = i === 0 ? bytes.length - 1 : Math.floor((bytes.length * i) / 200);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifyEvidence(changed).fault, `byte ${at}`).not.toBeNull();
    }
    // Bytes that decode to the same text: a replacement character, and one that ends early.
    const [same, other] = [Buffer.from('efbfbd', 'hex'), Buffer.from('f0bfbd', 'hex')];
    expect(same.toString()).toBe(other.toString());
    const at = bytes.indexOf(same);
    expect(at).toBeGreaterThan(0);
    const replaced = Buffer.from(bytes);
    other.copy(replaced, at);
    expect(verifyEvidence(replaced).fault).toMatch(/was changed/);
  });

  it('whose signature has the same bytes in another form is rejected', () => {
    // Base64 of 64 bytes ends in four bits that are not used.
    const last = text.lastIndexOf('=="');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const next = letters[letters.indexOf(text[last - 1] ?? '') + 1] ?? '';
    const changed = `${text.slice(0, last - 1)}${next}${text.slice(last)}`;
    expect(verifyEvidence(Buffer.from(changed)).fault).toMatch(/no signature/);
    const spaced = text.replace('{"type":"signature"', '{ "type":"signature"');
    expect(verifyEvidence(Buffer.from(spaced)).fault).toMatch(/no signature/);
  });

  it.each<[string, (line: Record<string, unknown>) => object | null, RegExp]>([
    ['a verdict that does not count', (line) => withFirstEval(line, { passed: false }), /other verdicts/],
    ['too few tests', (line) => (line['side'] === 'baseline' ? null : line), /which it lacks/],
    [
      'another recorded decision',
      (line) =>
        line['type'] === 'runSet' ? { ...line, runSet: { id, decision: { outcome: 'INCONCLUSIVE' } } } : line,
      /the recorded decision is INCONCLUSIVE/,
    ],
    [
      'lines of another form',
      (line) => (line['type'] === 'basis' ? { type: 'basis' } : line),
      /cannot be read/,
    ],
  ])('that is signed with %s is rejected', (_name, change, fault) => {
    const [head = '', ...rest] = text.trimEnd().split('\n');
    const lines = rest.slice(0, -1).flatMap((line) => {
      const changed = change(JSON.parse(line) as Record<string, unknown>);
      return changed === null ? [] : [JSON.stringify(changed)];
    });
    const key = evidenceKeyOf({ derive: () => Buffer.alloc(32, 7) });
    const header = {
      ...(JSON.parse(head) as object),
      publicKey: key.publicKey,
      hashes: lines.map(hashOfLine),
    };
    const first = JSON.stringify(header);
    const signature = { type: 'signature', algorithm: 'Ed25519', signature: key.sign(Buffer.from(first)) };
    const bundle = `${[first, ...lines, JSON.stringify(signature)].join('\n')}\n`;
    expect(verifyEvidence(Buffer.from(bundle)).fault).toMatch(fault);
  });

  it('is of the recorded decision: with runs as the baseline, and no more when results changed', async () => {
    const { data: set } = await server.ok('GET', `/v0/run-sets/${id}`);
    const runIds = (await server.ok('GET', `/v0/run-sets/${set.baselineId ?? ''}`)).data.runIds.join(',');
    const rule = `failUnder=80&margin=20&findLoss=90&baseline=${runIds}`;
    const { data } = await server.ok('POST', `/v0/run-sets/${id}/decision?${rule}`);
    expect(data).toMatchObject({ outcome: 'PASS', baselineId: null });
    const { stdout } = await touchstone(['evidence', id]);
    expect(verifyEvidence(Buffer.from(stdout))).toMatchObject({ fault: null, outcome: 'PASS' });
    const globalConfig = { assertions: [{ type: 'equals', value: 'nothing' }] };
    await server.ok('PUT', `/v0/definitions/${rule0}`, { body: { globalConfig } });
    await server.ok('POST', `/v0/runs/${set.runIds[0] ?? ''}/evaluate`, { body: {} });
    await reaches(server, id, 'COMPLETED');
    const ended = await touchstone(['evidence', id]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('Results have changed since the decision was recorded');
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
    expect(verifyEvidence(Buffer.from(`${change(lines).join('\n')}\n`)).fault).toMatch(fault);
  });

  it('that is truncated is rejected', () => {
    expect(verifyEvidence(Buffer.from(text.slice(0, -1))).fault).toMatch(/truncated/);
  });
});
