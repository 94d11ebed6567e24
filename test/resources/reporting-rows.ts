/** Rows of all that reports are made of, put into a store at random, and what each datasource should show of them. */
import { exampleIdOf } from '../support/stored-tests.ts';
import type { Database, SqlValue } from '../../src/storage/database.ts';
import { countsOf } from '../../src/tests/counts.ts';
import { type Failure, FAILURE_CODES } from '../../src/tests/failures.ts';
import { TEST_PHASES, TEST_STATUSES } from '../../src/tests/states.ts';
import { DEFINITION_TYPES } from '../../src/evaluate/definition-config.ts';
import { LEVELS, TASK_STATUSES } from '../../src/evaluate/statistics/levels.ts';
import type { DatasourceId } from '../../src/resources/reporting/datasources.ts';
import { mulberry32 } from '../support/random.ts';

/** Dates as milliseconds, relations as ids; of many-valued columns an array. */
export type Value = string | number | boolean | null;
export type View = Readonly<Record<string, Value | readonly Value[]>>;

export interface StoredRows {
  views: Readonly<Record<DatasourceId, readonly View[]>>;
  /** By id; what is not here was deleted, or has no name. */
  names: ReadonlyMap<string, string>;
}

export const TEXTS = [
  'ada',
  'Ada',
  'ÄRGER',
  'straße',
  '100%_',
  "'); DROP TABLE test; --",
  '" OR 1=1 --',
  '🙂',
] as const;

const DAY = 86_400_000;
const START = Date.parse('2026-03-20T00:00:00Z');

export function storeRows(database: Database, application: number, seed: number): StoredRows {
  const random = mulberry32(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const maybe = <T>(value: () => T): T | null => (random() < 0.3 ? null : value());
  const some = <T>(items: readonly T[], most: number): T[] => [
    ...new Set(Array.from({ length: below(most + 1) }, () => pick(items))),
  ];
  const several = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);
  const bytes = (): Buffer => Buffer.from(several(16, () => below(256)));
  const uuidOf = (raw: Buffer): string =>
    raw.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const uuid = (): string => uuidOf(bytes()).replace(/^(.{14}).(.{4})./, '$14$28');
  /** Sums of such numbers are exact, in whatever order they are added. */
  const eighths = (most: number): number => below(most * 8 + 1) / 8;
  const flag = (): boolean => random() < 0.5;
  const time = (): number => START + below(20 * DAY);
  const names = new Map<string, string>();

  const insert = (table: string, row: Readonly<Record<string, SqlValue | boolean | undefined>>): void => {
    const entries = Object.entries({ application, ...row });
    database.run(
      `INSERT INTO ${table} (${entries.map(([name]) => name).join(', ')}) VALUES (${entries.map(() => '?').join(', ')})`,
      ...entries.map(([, value]) => (typeof value === 'boolean' ? Number(value) : (value ?? null))),
    );
  };
  const named = (
    table: string,
    column: string,
    row: Readonly<Record<string, SqlValue | boolean>> = {},
  ): string => {
    const id = uuid();
    const name = `${pick(TEXTS)} ${below(5)}`;
    insert(table, { id, [column]: name, created_at: 0, modified_at: 0, ...row });
    names.set(id, name);
    return id;
  };
  const made = (): { createdAt: number; modifiedAt: number } => {
    const createdAt = time();
    return { createdAt, modifiedAt: createdAt + below(DAY) };
  };

  const quickstarts = several(2, () => named('quickstart', 'name', { status: 'COMPLETE' }));
  const experiments = several(2, () =>
    named('experiment', 'title', {
      description: '',
      status: 'IDLE',
      inference_step_ids: '[]',
      task_ids: '[]',
    }),
  );
  const variants = several(3, () =>
    named('experiment_variant', 'title', {
      experiment_id: pick(experiments),
      status: 'COMPLETED',
      config_patch: '{}',
      parent_id: uuid(),
    }),
  );
  const definitions = several(4, () =>
    named('definition', 'name', {
      type: 'CUSTOM',
      status: 'ACTIVE',
      global_config: '{}',
      version: 1,
      repeats: 1,
    }),
  );
  // One of each was deleted since: what named it still does.
  definitions.push(uuid());
  quickstarts.push(uuid());

  const metrics = (kind: 'task' | 'topic', id: string): View => {
    if (flag()) return NO_METRICS;
    const rate = (): number | null => maybe(() => eighths(1));
    const figure = {
      tests: below(9),
      pass_rate: rate(),
      error_rate: rate(),
      monitoring_pass_rate: rate(),
      health: maybe(() => below(101)),
      deviation: rate(),
    };
    insert('figure', { kind, id, ...figure });
    const percent = (share: number | null): number | null => share && share * 100;
    return {
      passRate: percent(figure.pass_rate),
      errorRate: percent(figure.error_rate),
      monitoringPassRate: percent(figure.monitoring_pass_rate),
      health: figure.health,
      scoreDeviation: figure.deviation,
      countedTests: figure.tests,
    };
  };
  const link = (kind: 'task' | 'topic', targetId: string): string[] => {
    const linked = some(definitions, 3);
    for (const id of linked)
      insert('definition_link', {
        definition_id: id,
        kind,
        target_id: targetId,
        config: '{}',
        created_at: 0,
      });
    return linked;
  };

  const topics = several(12, () => {
    const { createdAt, modifiedAt } = made();
    const flags = { tasks: flag(), documents: flag(), knowledge: flag(), policies: flag() };
    const [status, assignedTo, quickstart] = [
      pick(['DRAFT', 'ACTIVE', 'ARCHIVED']),
      maybe(() => pick(TEXTS)),
      maybe(() => pick(quickstarts)),
    ];
    const id = named('topic', 'title', {
      status,
      assigned_to: assignedTo,
      quickstart_id: quickstart,
      is_tasks_verified: flags.tasks,
      is_documents_verified: flags.documents,
      is_knowledge_base_verified: flags.knowledge,
      is_policies_verified: flags.policies,
      created_at: createdAt,
      modified_at: modifiedAt,
    });
    const view = {
      id,
      createdAt,
      modifiedAt,
      status,
      assignedTo,
      quickstart,
      evalDefinition: link('topic', id),
      isTasksVerified: flags.tasks,
      isDocumentsVerified: flags.documents,
      isKnowledgeBaseVerified: flags.knowledge,
      isPoliciesVerified: flags.policies,
      ...metrics('topic', id),
    };
    return { ...view, tasks: 0 };
  });

  const tags = several(5, () => {
    const { createdAt, modifiedAt } = made();
    const [status, color] = [pick(['ACTIVE', 'ARCHIVED']), pick(['#000000', '#ffffff', '#3B82F6'])];
    const id = named('tag', 'name', { status, color, created_at: createdAt, modified_at: modifiedAt });
    return { id, createdAt, modifiedAt, status, color, tasks: 0 };
  });

  const tasks = several(14, () => {
    const { createdAt, modifiedAt } = made();
    const [status, type] = [pick(['DRAFT', 'ACTIVE', 'ARCHIVED']), pick(['STATIC', 'NORMAL'])];
    const topic = maybe(() => pick(topics));
    const [quickstart, isVerified, result] = [maybe(() => pick(quickstarts)), flag(), pick(TASK_STATUSES)];
    const levels = [maybe(() => pick(LEVELS)), maybe(() => pick(LEVELS)), maybe(() => pick(LEVELS))] as const;
    const schedule = maybe(() => ({ criticality: pick(LEVELS), next: maybe(time) }));
    const id = named('task', 'title', {
      description: '',
      status,
      type,
      topic_id: topic?.id ?? null,
      quickstart_id: quickstart,
      is_verified: isVerified,
      created_at: createdAt,
      modified_at: modifiedAt,
      figure_status: result,
      health_level: levels[0],
      confidence_level: levels[1],
      stability_level: levels[2],
      schedule_criticality: schedule?.criticality ?? null,
    });
    if (topic) topic.tasks++;
    const ownTags = some(tags, 3);
    for (const tag of ownTags) {
      insert('task_tag', { task_id: id, tag_id: tag.id });
      tag.tasks++;
    }
    if (schedule)
      insert('task_schedule', {
        task_id: id,
        criticality: schedule.criticality,
        timezone: 'UTC',
        enabled: true,
        next_run_at: schedule.next,
      });
    return {
      id,
      createdAt,
      modifiedAt,
      status,
      type,
      topic: topic?.id ?? null,
      quickstart,
      tag: ownTags.map((tag) => tag.id),
      evalDefinition: link('task', id),
      isVerified,
      scheduleCriticality: schedule?.criticality ?? null,
      nextRunAt: schedule?.next ?? null,
      result,
      ...metrics('task', id),
      healthLevel: levels[0],
      confidence: levels[1],
      stability: levels[2],
    };
  });

  const runs = several(10, () => {
    const [id, variant] = [uuid(), maybe(() => pick(variants))];
    const type = pick(['MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING']);
    const task = pick(tasks);
    const more = { task_id: task.id, type, experiment_variant_id: variant, created_at: 0, modified_at: 0 };
    insert('run', { id, ...more });
    return { id, variant, type, task };
  });

  let tkey = application * 1_000_000;
  const storeTrace = (testIds: readonly string[]) => {
    const [raw, durationMs, models] = [bytes(), eighths(500), some(['gpt', 'claude', TEXTS[5]], 3)];
    const counts = {
      cost: eighths(2),
      input: below(100),
      output: below(100),
      total: below(300),
      errors: below(3),
    };
    tkey++;
    insert('trace', {
      ...NO_TRACE,
      tkey,
      trace_id: raw,
      models: JSON.stringify(models),
      start_ns: BigInt(START) * 1_000_000n,
      end_ns: BigInt(START) * 1_000_000n + BigInt(durationMs * 1e6),
      cost: counts.cost,
      input_tokens: counts.input,
      output_tokens: counts.output,
      total_tokens: counts.total,
      error_count: counts.errors,
    });
    for (const model of models) insert('trace_attr', { key: 'model', value: model, tkey });
    insert('trace_attr', { key: 'provider', value: 'not a model', tkey });
    for (const id of testIds)
      insert('trace_test', {
        test_id: Buffer.from(id.replaceAll('-', ''), 'hex'),
        tkey,
        first_ns: 0,
        via: 0,
      });
    return { raw, durationMs, models, ...counts };
  };

  const tests = several(60, () => {
    const [id, run, { createdAt, modifiedAt }] = [uuid(), pick(runs), made()];
    const status = pick(TEST_STATUSES);
    const failureCode = status === 'FAILED' ? pick(FAILURE_CODES) : null;
    const [phase, experiment, exampleIndex] = [
      pick(TEST_PHASES),
      maybe(() => pick(experiments)),
      maybe(() => below(3)),
    ];
    const example = exampleIndex === null ? null : exampleIdOf(exampleIndex);
    const finishedEvals = pick([0, 1, 2, 4]);
    const passedEvals = below(finishedEvals + 1);
    const failure: Failure | null = failureCode && { code: failureCode, message: '', hint: '' };
    const counts = countsOf({ status, failure }, { finishedEvals, passedEvals });
    insert('test', {
      id,
      task_id: run.task.id,
      run_id: run.id,
      run_type: run.type,
      status,
      phase,
      failure: failure && JSON.stringify(failure),
      prompt: 'secret prompt',
      example_index: exampleIndex,
      example_id: example,
      experiment_id: experiment,
      experiment_variant_id: run.variant,
      trace_id: bytes(),
      created_at: createdAt,
      modified_at: modifiedAt,
      finished_evals: finishedEvals,
      passed_evals: passedEvals,
      counted_evals: counts.countedEvals,
      counted_passed: counts.countedPassed,
      has_error: Number(counts.hasError),
    });
    const done = some([1_000, 2_500, 60_000], 2);
    for (const [at, what] of [[1, 'delivered'] as const, ...done.map((after) => [after, 'done'] as const)])
      insert('test_event', { test_id: id, at: createdAt + at, phase: what, detail: '' });
    const traces = several(below(3), () => storeTrace([id]));
    const sum = (value: (trace: (typeof traces)[number]) => number): number | null =>
      traces.length > 0 ? traces.reduce((total, trace) => total + value(trace), 0) : null;
    const isAppsFault = ['webhook_status', 'webhook_timeout', 'trace_missing'].includes(failureCode ?? '');
    const counted = status === 'COMPLETED' && finishedEvals > 0;
    const view = {
      id,
      createdAt,
      modifiedAt,
      status,
      phase,
      runType: run.type,
      failureCode,
      task: run.task.id,
      topic: run.task.topic,
      run: run.id,
      experiment,
      experimentVariant: run.variant,
      exampleIndex,
      example,
      finishedEvals,
      passedEvals,
      passRate: counted ? (100 * passedEvals) / finishedEvals : isAppsFault ? 0 : null,
      durationMs: done.length > 0 ? Math.min(...done) : null,
      model: [...new Set(traces.flatMap(({ models }) => models))],
      traces: traces.length,
      traceDurationMs: traces.length > 0 ? Math.max(...traces.map(({ durationMs }) => durationMs)) : null,
      cost: sum(({ cost }) => cost),
      inputTokens: sum(({ input }) => input),
      outputTokens: sum(({ output }) => output),
      totalTokens: sum(({ total }) => total),
      spanErrors: sum(({ errors }) => errors),
    };
    return { view, run, traces };
  });

  const lonely = several(5, () => storeTrace([]));
  const evals = several(300, () => {
    const [id, { createdAt, modifiedAt }] = [uuid(), made()];
    const test = maybe(() => pick(tests));
    const trace = test ? null : pick(lonely);
    const status = pick([
      'PENDING',
      'IN_PROGRESS',
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
      'FAILED',
      'SKIPPED',
    ]);
    const passed = status === 'COMPLETED' ? flag() : null;
    const row = {
      definition: pick(definitions),
      type: pick(DEFINITION_TYPES),
      definitionVersion: below(3) + 1,
      runType: test?.run.type ?? 'MONITORING',
      version: below(3) + 1,
      superseded: random() < 0.2,
      score: maybe(() => eighths(5)),
      normalised: maybe(() => eighths(1)),
      cost: maybe(() => eighths(1)),
      latency: maybe(() => below(5_000)),
    };
    insert('eval', {
      id,
      definition_id: row.definition,
      definition_version: row.definitionVersion,
      definition_type: row.type,
      test_id: test?.view.id ?? null,
      trace_id: trace?.raw ?? null,
      task_id: test?.view.task ?? null,
      run_id: test?.run.id ?? null,
      run_type: row.runType,
      status,
      score: row.score,
      normalised: row.normalised,
      passed: passed ?? undefined,
      version: row.version,
      superseded: row.superseded,
      cost: row.cost,
      latency_ms: row.latency,
      created_at: createdAt,
      modified_at: modifiedAt,
      input_hash: '',
    });
    const view = {
      id,
      createdAt,
      modifiedAt,
      status,
      passed,
      passRate: passed === null ? null : passed ? 100 : 0,
      score: row.score,
      normalisedScore: row.normalised,
      evalDefinition: row.definition,
      definitionType: row.type,
      definitionVersion: row.definitionVersion,
      test: test?.view.id ?? null,
      task: test?.view.task ?? null,
      topic: test?.view.topic ?? null,
      run: test?.run.id ?? null,
      runType: row.runType,
      experimentVariant: test?.run.variant ?? null,
      superseded: row.superseded,
      version: row.version,
      cost: row.cost,
      latencyMs: row.latency,
    };
    return { view, trace };
  });

  const queues = several(2, () => named('annotation_queue', 'title'));
  const annotations = several(40, () => {
    const [id, { createdAt, modifiedAt }] = [uuid(), made()];
    const test = maybe(() => pick(tests));
    const trace = test?.traces[0] ?? pick(lonely);
    const isOfTest = test?.traces[0] !== undefined;
    const [verdict, annotatorId] = [maybe(flag), pick(TEXTS)];
    const [definition, score] = [maybe(() => pick(definitions)), maybe(() => below(5))];
    const unsure = verdict === null && flag();
    const source = pick(['REVIEW_QUEUE', 'TRACE_PAGE', 'TEST_PAGE']);
    const item =
      source === 'REVIEW_QUEUE'
        ? { id: uuid(), queue: pick(queues), selection: pick(['RANDOM', 'MANUAL', 'FAILED']) }
        : null;
    if (item)
      insert('annotation_queue_item', {
        id: item.id,
        queue_id: item.queue,
        trace_id: trace.raw,
        selection: item.selection,
        expires_at: 0,
        created_at: 0,
      });
    insert('human_annotation', {
      id,
      trace_id: trace.raw,
      verdict,
      eval_definition_id: definition,
      score,
      unsure,
      critique: 'secret critique',
      annotator_id: annotatorId,
      source,
      queue_item_id: item?.id ?? null,
      created_at: createdAt,
      modified_at: modifiedAt,
    });
    const verdicts = evals
      .filter(({ view, trace: own }) => (isOfTest ? view.test === test?.view.id : own === trace))
      .filter(({ view }) => !view.superseded && view.passed !== null)
      .map(({ view }) => view.passed);
    const evalsPassed = verdicts.length > 0 ? !verdicts.includes(false) : null;
    return {
      id,
      createdAt,
      modifiedAt,
      verdict,
      passRate: verdict === null ? null : verdict ? 100 : 0,
      evalDefinition: definition,
      unsure,
      score,
      source,
      annotatorId,
      queue: item?.queue ?? null,
      selection: item?.selection ?? null,
      task: isOfTest ? [test.view.task] : [],
      evalsPassed,
      agreesWithEvals: evalsPassed === null || verdict === null ? null : evalsPassed === verdict,
    };
  });

  return {
    views: {
      task: tasks,
      test: tests.map(({ view }) => view),
      eval: evals.map(({ view }) => view),
      topic: topics,
      tag: tags,
      human_annotation: annotations,
    },
    names,
  };
}

const NO_TRACE = {
  native: 0,
  received_at: 0,
  updated_at: 0,
  next_seq: 0,
  span_count: 1,
  kinds: 0,
  flags: 0,
  root_rank: 0,
  root_ns: 0,
  root_name: '',
  services: '[]',
};

const NO_METRICS = {
  passRate: null,
  errorRate: null,
  monitoringPassRate: null,
  health: null,
  scoreDeviation: null,
  countedTests: 0,
};
