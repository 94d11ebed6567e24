import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outdatedNotice } from '../../src/cli/remap.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { openForWriting } from '../../src/storage/sqlite/open.ts';
import { type Ended, run, type RunOptions, start } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { otlpRequest, type SpanSpec } from '../support/spans.ts';
import { openDatabase, temporaryFolder } from '../support/storage.ts';

let server: TestServer;
/** Beside the server, as a person at the store would be. */
let store: SqliteDatabase;
const remapArgs = (...args: string[]): string[] => ['remap', ...args, '--data-dir', server.folder];
const remap = (args: readonly string[] = [], options?: RunOptions): Promise<Ended> =>
  run(remapArgs(...args), options);

const span = (trace: number, id: number): SpanSpec => ({
  trace,
  id,
  name: `span ${id}`,
  attributes: {
    'input.value': `in ${trace}`,
    'gen_ai.usage.input_tokens': trace,
    'tag.tags': [`tag ${trace}`],
  },
});
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function send(spans: readonly SpanSpec[]): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf' };
  const { status } = await server.call('POST', '/v1/traces', { headers, body: otlpRequest(spans) });
  expect(status).toBe(200);
}

/** Makes all traces what a version without any rules would have made of them. */
function forgetAll(): void {
  store.run(`UPDATE trace SET rule_set = 0, input_tokens = 0, root_name = '?'`);
  store.run('DELETE FROM trace_attr');
}

const outdated = (): number =>
  store.get<{ n: number }>('SELECT count(*) AS n FROM trace WHERE rule_set = 0')?.n ?? 0;

/** All that mapping gave, and how what is mapped lies in the store. */
const mapped = (): unknown => ({
  traces: store.all(
    'SELECT tkey, start_ns, end_ns, span_count, input_tokens, root_name, models, services FROM trace ORDER BY tkey',
  ),
  attributes: store.all('SELECT * FROM trace_attr ORDER BY tkey, key, value'),
  spans: store.get('SELECT count(*) AS n FROM span JOIN chunk USING (application, tkey, seq)'),
  blocks: store.get('SELECT count(*) AS n FROM chunk'),
  resources: store.all('SELECT * FROM resource'),
});

const MAX_ATTEMPTS = 10;

/**
 * Ends remap with a signal when some traces, but not all, are mapped again. On a busy machine it may be over before it is
 * noticed, so it gets further attempts.
 */
async function endMidway(signal: 'SIGKILL' | 'SIGINT'): Promise<Ended> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    forgetAll();
    const total = outdated();
    await using program = start(remapArgs());
    await expect.poll(outdated, { interval: 2 }).toBeLessThan(total);
    program.child.kill(signal);
    const ended = await program.ended;
    if (outdated() > 0) return ended;
  }
  throw new Error(`remap was over before its ${MAX_ATTEMPTS} signals`);
}

/** The summary, below lines of progress; as if its numbers were not grouped and never 1. */
const lastLine = ({ stdout }: Ended): string =>
  (stdout.trimEnd().split('\n').at(-1) ?? '')
    .replaceAll(/(?<=\d) (?=\d)/g, '')
    .replace('1 trace ', '1 traces ');

describe('remap, while a server runs', () => {
  beforeEach(async () => {
    server = await startServer();
    store = new SqliteDatabase(openForWriting(`${server.folder}/touchstone.db`));
  });
  afterEach(async () => {
    store.connection.close();
    await server.close();
  });

  it('maps all traces of older rules again, and then has nothing to do', async () => {
    await send(range(30).flatMap((trace) => [span(trace, 1), span(trace, 2)]));
    const before = mapped();
    const { json: listed } = await server.call('GET', '/v0/traces');
    forgetAll();
    expect(mapped()).not.toEqual(before);

    expect(await remap()).toEqual({ code: 0, signal: null, stdout: '30 traces mapped again.\n', stderr: '' });
    expect(mapped()).toEqual(before);
    expect((await server.call('GET', '/v0/traces')).json).toEqual(listed);
    expect(await remap()).toMatchObject({
      code: 0,
      stdout: 'Nothing to do: the rules of this version mapped all traces.\n',
    });
  });

  it('takes as many as configured to, and says how many are left', async () => {
    await send(range(5).map((trace) => span(trace, 1)));
    forgetAll();
    expect(await remap(['--limit', '2'])).toMatchObject({
      code: 0,
      stdout: '2 traces mapped again, 3 left for another run.\n',
    });
    expect(outdated()).toBe(3);
    expect(await remap(['--limit', '3'])).toMatchObject({ code: 0, stdout: '3 traces mapped again.\n' });
  });

  it('continues where it was when it was killed midway', async () => {
    await send(range(2_000).map((trace) => span(trace, 1)));
    const before = mapped();
    expect((await endMidway('SIGKILL')).signal).toBe('SIGKILL');
    const left = outdated();

    const again = await remap();
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(lastLine(again)).toBe(`${left} traces mapped again.`);
    expect(mapped()).toEqual(before);
    expect(store.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('applies own rules to each trace once, also when it was killed midway', async () => {
    const traces = range(2_000);
    await send(
      traces.map((trace) => ({
        trace,
        id: 1,
        name: 'call',
        attributes: { 'acme.person': `user ${trace % 7}` },
      })),
    );
    const applied = (): number =>
      store.get<{ n: number }>(`SELECT count(*) AS n FROM trace WHERE user_id LIKE 'user %'`)?.n ?? 0;
    const body = { rules: [{ key: 'acme.person', field: 'userId' }] };
    expect((await server.call('PUT', '/v0/mappings', { body })).status).toBe(200);
    {
      await using program = start(remapArgs());
      await expect.poll(applied, { interval: 2 }).toBeGreaterThan(0);
      program.child.kill('SIGKILL');
      await program.ended;
    }
    expect(await remap()).toMatchObject({ code: 0, stderr: '' });
    expect(applied()).toBe(traces.length);
    const { json } = await server.call('GET', '/v0/traces?userId=user%203');
    const ofUser = traces.filter((trace) => trace % 7 === 3).length;
    expect((json as { pagination: { total: number } }).pagination.total).toBe(ofUser);
    expect(await remap()).toMatchObject({ stdout: expect.stringContaining('Nothing to do') as string });
    expect(store.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('finishes the trace at hand when it is interrupted, and says how many are left', async () => {
    await send(range(2_000).map((trace) => span(trace, 1)));
    const ended = await endMidway('SIGINT');
    const left = outdated();
    expect(ended).toMatchObject({ code: 1, stderr: 'Interrupted; the next remap continues from here.\n' });
    expect(lastLine(ended)).toBe(`${2_000 - left} traces mapped again, ${left} left for another run.`);
  });

  it('does no harm to traces that get spans meanwhile', async () => {
    const traces = range(100);
    await send(traces.flatMap((trace) => [span(trace, 1), span(trace, 2)]));
    forgetAll();
    await using program = start(remapArgs());
    let last = 2;
    while (program.child.exitCode === null && last < 500) {
      last += 1;
      await send(traces.map((trace) => span(trace, last)));
    }
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
    expect(last).toBeGreaterThan(2);
    expect(outdated()).toBe(0);
    expect(
      store.all('SELECT span_count AS spans, input_tokens AS tokens FROM trace ORDER BY input_tokens'),
    ).toEqual(traces.map((trace) => ({ spans: last, tokens: trace * last })));
    const spans = await server.ok('GET', `/v0/traces/${'0'.repeat(31)}7/spans?limit=1000`);
    expect(spans.data).toHaveLength(last);
  });

  it('names the traces it leaves as they are, and fails for those that it could not read', async () => {
    await send(range(3).map((trace) => span(trace, 1)));
    forgetAll();
    store.run(
      `INSERT INTO chunk SELECT application, tkey, seq + 1000, skeleton, zeroblob(33 * 1048576) FROM chunk
       ORDER BY tkey, seq LIMIT 1`,
    );
    expect(await remap()).toEqual({
      code: 0,
      signal: null,
      stdout: `2 traces mapped again.\n1 trace too large to be mapped, left unchanged: ${'0'.repeat(31)}1.\n`,
      stderr: '',
    });
    expect(outdated()).toBe(1);

    store.run('DELETE FROM chunk WHERE length(payload) > 1000000');
    store.run(`UPDATE chunk SET payload = x'09'`);
    const { code, stdout, stderr } = await remap();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '0 traces mapped again.\n' });
    expect(stderr).toMatch(/^1 trace could not be mapped, left unchanged: 0{31}1 \(.+\)\.\n$/);
  });

  it('leaves the line of a terminal empty', async () => {
    await send([span(1, 1)]);
    forgetAll();
    const { code, stdout } = await remap([], { terminal: true });
    expect(code).toBe(0);
    // A slow machine shows the progress first.
    expect(stdout.split('\r').at(-1)).toBe('\x1b[K1 trace mapped again.\n');
  });
});

describe('a start of the server', () => {
  it('reports traces that older rules mapped, and nothing when there are none', async () => {
    using folder = temporaryFolder();
    const logged = async (): Promise<string> => {
      const over = await startServer({ config: { dataDir: folder.path } });
      await over.close();
      return over.logged.join('');
    };
    expect(await logged()).not.toContain('older rule set');
    const database = openDatabase(folder.file('touchstone.db'));
    insertOutdated(database, 2);
    database.connection.close();
    expect(await logged()).toContain(
      '"message":"2 traces were mapped by an older rule set; `touchstone remap` maps them again"',
    );
  });

  it.each([
    [1, '1 trace was mapped by an older rule set; `touchstone remap` maps it again'],
    [12_034, '12 034 traces were mapped by an older rule set; `touchstone remap` maps them again'],
    [100_000, '100 000 traces were mapped by an older rule set; `touchstone remap` maps them again'],
    [
      100_001,
      'more than 100 000 traces were mapped by an older rule set; `touchstone remap` maps them again',
    ],
  ])('says of %d traces: %s', (count, sentence) => {
    using folder = temporaryFolder();
    const database = openDatabase(folder.file('store.db'));
    insertOutdated(database, count);
    expect(outdatedNotice(database)).toBe(sentence);
    database.connection.close();
  });
});

function insertOutdated(database: SqliteDatabase, count: number): void {
  database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO trace (application, trace_id, native, start_ns, end_ns, received_at, updated_at, next_seq,
       span_count, error_count, input_tokens, output_tokens, cost, kinds, flags, root_rank, root_ns, root_name,
       models, services, rule_set)
     SELECT 1, randomblob(16), 0, 1, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, '', '[]', '[]', 0 FROM n`,
    count,
  );
}
