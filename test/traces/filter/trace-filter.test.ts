/** What the terms of a filter line find among traces: test/filter has the language itself. */
import { beforeAll, describe, expect, it } from 'vitest';
import { insertEval } from '../../support/filter-rows.ts';
import { FILTER_FIELDS } from '../../../src/filter/fields.ts';
import { parseFilter } from '../../../src/filter/parse.ts';
import { changedTraces } from '../../../src/traces/changes.ts';
import { exportTraces } from '../../../src/traces/export.ts';
import { traceFacets } from '../../../src/traces/facets.ts';
import type { SearchLimits } from '../../../src/traces/filter/search-steps.ts';
import { type TraceFilter, type TracePlace, TraceWhere } from '../../../src/traces/trace-where.ts';
import { effort } from '../../support/effort.ts';
import { mulberry32 } from '../../support/random.ts';
import { BASE_MS, MS, type SpanSpec, traceBytes, uuid } from '../../support/spans.ts';
import { type Tenant, useStore } from '../../support/storage.ts';
import { storeLogRecords } from '../../support/stored-logs.ts';
import { storeDefinition } from '../../support/stored-evals.ts';
import { storeRun, storeTask, storeTest } from '../../support/stored-tests.ts';

const { newTenant, database } = useStore();
let tenant: Tenant;

const HOUR = 3_600_000 * MS;
const SECOND = 1000 * MS;

/** Trace 1 is the oldest. */
const SPANS: readonly SpanSpec[] = [
  {
    trace: 1,
    id: 1,
    name: 'checkout',
    start: 0,
    end: 5 * SECOND,
    resource: {
      'service.name': 'app',
      'service.version': 'v15',
      'deployment.environment.name': 'production',
    },
    attributes: {
      'session.id': 's1',
      'user.id': 'ada',
      'input.value': 'I want my Money back',
      'output.value': 'The refund is on its way.',
      'tag.tags': ['beta'],
      metadata: '{"channel":"app"}',
    },
  },
  {
    trace: 1,
    id: 2,
    parent: 1,
    name: 'call',
    status: 2,
    message: 'card declined',
    attributes: { 'openinference.span.kind': 'TOOL', 'tool.name': 'issue_refund', 'output.value': 'nothing' },
  },
  {
    trace: 1,
    id: 3,
    parent: 1,
    name: 'llm',
    attributes: {
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': 90,
      'gen_ai.usage.output_tokens': 10,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'A zebrafishword in a step, über alles',
    },
  },
  {
    trace: 2,
    id: 1,
    name: 'chat',
    start: HOUR,
    end: HOUR + SECOND,
    attributes: {
      'session.id': 's2',
      'input.value': 'Return?',
      'output.value': 'Within 14 days, *please*',
      'gen_ai.request.model': 'gpt-4o',
      'app.prompt.version': 'v14',
      'tag.tags': ['beta', 'alpha'],
      metadata: '{"channel":"web"}',
    },
  },
  { trace: 3, id: 1, name: 'plain', start: 2 * HOUR },
  {
    trace: 4,
    id: 1,
    name: 'tested',
    start: 3 * HOUR,
    attributes: { 'service.test.id': uuid(4), 'output.value': 'Hm' },
  },
  { trace: 5, id: 1, name: 'sampled', start: 4 * HOUR },
];
const ALL = [4, 3, 2, 1];
const NOW = BASE_MS + 5 * 3_600_000;

beforeAll(() => {
  tenant = newTenant();
  tenant.store(SPANS);
  // Another application has the same, and must never be found.
  const other = newTenant();
  other.store(SPANS);
  const { application } = tenant;
  database().run(
    "INSERT INTO trace_attr (application, key, value, tkey) VALUES (?, 'sample', '1', ?)",
    application,
    tenant.tkey(5) ?? 0,
  );
  database().run(
    `INSERT INTO topic (id, application, title, status, is_tasks_verified, is_documents_verified, is_knowledge_base_verified,
       is_policies_verified, created_at, modified_at) VALUES (?, ?, 'Refunds', 'ACTIVE', 0, 0, 0, 0, 0, 0)`,
    uuid(50),
    application,
  );
  storeTask(database(), application, uuid(40));
  database().run("UPDATE task SET title = 'Refund policy', topic_id = ? WHERE id = ?", uuid(50), uuid(40));
  const run = { id: uuid(41), taskId: uuid(40), createdAt: 0 };
  storeRun(database(), application, run);
  storeTest(database(), application, {
    id: uuid(4),
    run,
    createdAt: 0,
    exampleIndex: 1,
    status: 'COMPLETED',
  });
  storeDefinition(database(), application, { id: uuid(60), name: 'Facts' });
  storeDefinition(database(), application, { id: uuid(61), name: 'Style' });
  insertEval(database(), application, { definitionId: uuid(60), trace: 4, passed: 0, normalised: 0.2 });
  insertEval(database(), application, { definitionId: uuid(61), trace: 4, passed: 1, normalised: 0.9 });
  insertEval(database(), application, { definitionId: uuid(60), trace: 2, passed: 1, normalised: 1 });
  insertEval(database(), application, { definitionId: uuid(61), trace: 3, passed: null, normalised: null });
  database().run(
    `INSERT INTO human_annotation (id, application, trace_id, verdict, annotator_id, source, created_at, modified_at)
     VALUES (?, ?, ?, 0, 'eve', 'HUMAN', 0, 0)`,
    uuid(70),
    application,
    traceBytes(4),
  );
  database().run(
    `INSERT INTO note (id, application, trace_id, content, mentions, creator_type, creator_id, creator_name, created_at, modified_at)
     VALUES (?, ?, ?, 'Promises money', '[]', 'key', 'k', 'k', 0, 0)`,
    uuid(71),
    application,
    traceBytes(2),
  );
  database().run(
    `INSERT INTO issue (id, application, number, title, description, status, type, source, priority, link_count, deleted_count,
       last_seen_at, creator_type, creator_id, creator_name, created_at, modified_at)
     VALUES (?, ?, 7, 'Too early', '', 'OPEN', 'BUG', 'API', 'LOW', 1, 0, 0, 'key', 'k', 'k', 0, 0)`,
    uuid(72),
    application,
  );
  database().run(
    `INSERT INTO issue_link (id, application, issue_id, trace_id, seen_at, source, created_at)
     VALUES (?, ?, ?, ?, 0, 'SELECTION', 0)`,
    uuid(73),
    application,
    uuid(72),
    traceBytes(3),
  );
});

const filterOf = (line: string): TraceFilter => {
  const { terms, faults } = parseFilter(line, 'traces');
  expect(faults, line).toEqual([]);
  return { q: { terms, at: NOW } };
};
const numberOf = ({ otelTraceId }: { otelTraceId: string }): number => Number.parseInt(otelTraceId, 16);
const found = (line: string): number[] => tenant.list(filterOf(line)).data.map(numberOf);

describe('a term', () => {
  it.each<[line: string, traces: number[]]>([
    ['name:CHECK', [1]],
    ['name:check*', [1]],
    ['name:/^(chat|plain)$/', [3, 2]],
    ['input:"money back"', [1]],
    ['output:refund', [1]],
    ['output:/14 DAYS/i', [2]],
    ['output:/14 DAYS/', []],
    [String.raw`output:\*please\*`, [2]],
    ['zebrafishword', [1]],
    ['ZEBRAFISH', [1]],
    ['zebra*word', [1]],
    ['Über', [1]],
    ['"zebrafishword in"', [1]],
    ['/zebra(fish|crossing)word/', [1]],
    ['text:declined', [1]],
    ['s1', [1]],
    ['zebrafishword,Within', [2, 1]],
    ['kind:TOOL', [1]],
    ['kind:llm', [2, 1]],
    ['tool:issue_refund', [1]],
    ['tool:issue*', [1]],
    ['tool:issue', []],
    ['error:yes', [1]],
    ['error:declined', [1]],
    ['error:call', [1]],
    ['error:nothing', []],
    ['model:gpt-4o', [2]],
    ['model:gpt-*', [2, 1]],
    ['model:/^gpt-5/', [1]],
    ['model:gpt-9', []],
    ['model:none*', []],
    ['model:gpt-4o,gpt-5-mini', [2, 1]],
    ['provider:openai', [1]],
    ['environment:production', [1]],
    ['tag:beta', [2, 1]],
    ['tag:beta tag:alpha', [2]],
    ['session:s1', [1]],
    ['session:s*', [2, 1]],
    ['user:ada', [1]],
    ['topic:refunds', [4]],
    ['topic:Ref*', [4]],
    ['version:v15', [1]],
    ['version:v1*', [2, 1]],
    ['metadata.channel:app', [1]],
    ['metadata.channel:*', [2, 1]],
    ['verdict:fail', [4]],
    ['verdict:pass', [4, 2]],
    ['verdict:none', [3]],
    ['evaluator:facts', [4, 2]],
    ['verdict:fail evaluator:Facts', [4]],
    ['verdict:fail evaluator:Style', []],
    ['verdict:pass evaluator:Facts verdict:pass', [2]],
    ['verdict:fail evaluator:Facts evaluator:Style', [4]],
    ['score:<0.5', [4]],
    ['score:>0.5 evaluator:Style', [4]],
    ['human:fail', [4]],
    ['human:pass', []],
    ['task:"refund policy"', [4]],
    [`task:${uuid(40)}`, [4]],
    [`run:${uuid(41)}`, [4]],
    [`test:${uuid(4)}`, [4]],
    ['test:nonsense', []],
    ['example:2', [4]],
    ['example:1', []],
    ['duration:>2s', [1]],
    ['duration:<=1s', [4, 3, 2]],
    ['duration:1s..5s', [2, 1]],
    ['cost:0', [4, 3, 2]],
    ['cost:>0', [1]],
    ['tokens:>50', [1]],
    ['tokens:100', [1]],
    ['spans:3', [1]],
    ['last:2.5h', [4]],
    ['from:2026-01-01T02:00', [4, 3]],
    ['to:2026-01-01T01:00', [2, 1]],
    ['to:2026-01-01', ALL],
    ['samples:yes', [5, ...ALL]],
    ['has:user', [1]],
    ['has:metadata.channel', [2, 1]],
    ['has:tag', [2, 1]],
    ['has:verdict', [4, 2]],
    ['has:human', [4]],
    ['note:PROMISES', [2]],
    ['has:note', [2]],
    ['issue:7', [3]],
    ['issue:#7', [3]],
    ['issue:"too early"', [3]],
    ['issue:8', []],
    ['has:issue', [3]],
    ['has:test', [4]],
    ['has:topic', [4]],
    ['has:tool', [1]],
    ['has:error', [1]],
    ['has:output', [4, 2, 1]],
    ['', ALL],
  ])('%s finds %j, and negated the others', (line, traces) => {
    expect(found(line)).toEqual(traces);
    if (line === '' || line.startsWith('samples') || line.includes(' ')) return;
    expect(found(`-${line}`)).toEqual(
      [...(line.startsWith('test:') ? [5] : []), ...ALL].filter((one) => !traces.includes(one) && one !== 5),
    );
  });

  it('of every field is tried here', () => {
    const { data } = tenant.list({
      q: {
        terms: FILTER_FIELDS.flatMap(
          ({ example }) => parseFilter(`-${example}`.replace('-samples', 'samples'), 'traces').terms,
        ),
        at: NOW,
      },
    });
    expect(data.length).toBeLessThanOrEqual(5);
  });

  it('combines with the other filters', () => {
    expect(tenant.list({ ...filterOf('tag:beta'), model: ['gpt-4o'] }).data.map(numberOf)).toEqual([2]);
  });
});

const PARTS = [
  'zebrafishword',
  '-zebrafishword',
  'refund',
  '-refund',
  'tag:beta',
  '-tag:beta',
  'model:gpt-*',
  '-model:gpt-4o',
  'error:declined',
  '-error:declined',
  'tool:issue*',
  '-tool:issue*',
  'version:v15',
  '-version:v15',
  'has:user',
  '-has:user',
  'verdict:fail',
  '-verdict:fail',
  'evaluator:Facts',
  'duration:>2s',
  'last:3h',
  'human:fail',
  '-topic:Refunds',
  'output:/days|way/',
  'samples:yes',
  'test:*',
];

it('list, stream, facets and export agree about what matches', () => {
  const seed = Date.now() % 1_000_000;
  const next = mulberry32(seed);
  const random = (below: number): number => Math.floor(next() * below);
  for (let round = 0; round < effort(60); round++) {
    const line = Array.from({ length: 1 + random(3) }, () => PARTS[random(PARTS.length)]).join(' ');
    const filter = filterOf(line);
    const listed = tenant.list(filter).data.map(numberOf);
    const why = `seed ${seed}, line ${line}`;
    const traceIds = [1, 2, 3, 4, 5].map(traceBytes);
    const streamed = changedTraces(database(), { ...tenant.owner, filter, traceIds }) as {
      otelTraceId: string;
    }[];
    expect(streamed.map(numberOf).toReversed(), why).toEqual(listed);
    expect(traceFacets(database(), { ...tenant.owner, filter }).traces, why).toBe(listed.length);
    expect(exported(filter, 2), why).toEqual(listed);
  }
});

/** Reads an export page by page. */
function exported(filter: TraceFilter, limit: number): number[] {
  const traces: number[] = [];
  for (let after: TracePlace | undefined; ; ) {
    const page = exportTraces(database(), {
      ...tenant.owner,
      filter: { ...filter, ...(after && { after }) },
      limit,
    });
    traces.push(...(page.traces as { otelTraceId: string }[]).map(numberOf));
    if (page.last === null) return traces;
    after = page.last;
  }
}

describe('a search through steps', () => {
  const search = (line: string, limits: Partial<SearchLimits>, isContinued = false) => {
    const where = new TraceWhere(database(), tenant.application, filterOf(line), { limits, isContinued });
    const rows = database().all<{ id: Buffer }>(
      `SELECT trace_id AS id FROM trace WHERE ${where.sql} ORDER BY start_ns DESC`,
      ...where.values,
    );
    return {
      traces: rows.map(({ id }) => Number.parseInt(id.toString('hex'), 16)),
      isComplete: where.searched?.isComplete,
    };
  };

  it.each<[why: string, line: string, limits: Partial<SearchLimits>, traces: number[], isComplete: boolean]>([
    ['is complete within its limits', 'zebrafishword', {}, [1], true],
    ['ends after a number of traces', 'zebrafishword', { traces: 2 }, [], false],
    ['ends after a number of bytes', 'zebrafishword', { bytes: 1 }, [1], true],
    ['ends after a time, but searches one trace', 'plain', { milliseconds: -1 }, [3], false],
    ['finds older traces by what lists show', 'refund', { traces: 1 }, [1], false],
    ['leaves out older traces of a negated term', '-refund', { traces: 2 }, [4, 3], false],
    ['leaves out older traces of a field without shown texts', 'version:v15', { traces: 1 }, [], false],
  ])('%s', (_, line, limits, traces, isComplete) => {
    expect(search(line, limits)).toEqual({ traces, isComplete });
  });

  it('leaves out what it did not search, if the list continues there', () => {
    expect(search('refund', { traces: 1 }, true)).toEqual({ traces: [], isComplete: false });
  });

  it('searches every log record of a span, whatever their number', () => {
    const other = newTenant();
    other.store([
      { trace: 1, id: 1, name: 'many' },
      { trace: 2, id: 1 },
    ]);
    const records = Array.from({ length: 2_200 }, (_unused, time) => ({
      trace: 1,
      event: 'gen_ai.choice',
      body: time === 2_199 ? 'zebrafishword' : `answer ${time}`,
      time,
    }));
    for (let at = 0; at < records.length; at += 500) storeLogRecords(other, records.slice(at, at + 500));
    storeLogRecords(other, [{ trace: 2, event: 'gen_ai.choice', body: 'zebrafishword' }]);
    expect(other.list(filterOf('zebrafishword')).data.map(numberOf)).toEqual([2, 1]);
  });

  it('searches a trace too large to be read at once, beside small ones', () => {
    const other = newTenant();
    const large = mulberry32(7);
    const noise = (): string => Array.from({ length: 60_000 }, () => large().toString(36)).join('');
    other.store([{ trace: 1, id: 1, attributes: { 'output.value': 'pangolinword' } }]);
    for (let id = 1; id <= 12; id++)
      other.store([{ trace: 2, id, start: SECOND, attributes: { 'output.value': `${noise()} part${id}` } }]);
    other.store([{ trace: 2, id: 20, start: SECOND, attributes: { 'output.value': 'pangolinword' } }]);
    other.store([{ trace: 3, id: 1, start: 2 * SECOND, attributes: { 'output.value': 'pangolinword' } }]);
    other.store([{ trace: 2, id: 21, start: SECOND }]);
    storeLogRecords(other, [{ trace: 2, span: 21, event: 'gen_ai.choice', body: 'zebrafishword' }]);
    expect(other.list(filterOf('pangolinword')).data.map(numberOf)).toEqual([3, 2, 1]);
    expect(other.list(filterOf('zebrafishword')).data.map(numberOf)).toEqual([2]);
  });

  it('says what was searched, if steps were', () => {
    expect(tenant.list(filterOf('zebrafishword'))).toMatchObject({
      searched: { from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T03:00:00.000Z', isComplete: true },
    });
    expect(tenant.list(filterOf('zebrafishword model:none'))).toMatchObject({
      searched: { from: null, to: null, isComplete: true },
    });
    expect(tenant.list(filterOf('tag:beta'))).not.toHaveProperty('searched');
  });
});
