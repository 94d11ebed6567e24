import type { UploadReport } from '../src/resources/quickstarts/upload-contract.ts';

/** Rows of each resource that lists answer. */
export const ROWS = 100_000;

/** Time when the first row was created; each row is a second younger than the one before. */
const FIRST_AT = Date.UTC(2026, 0, 1);

export const rowTime = (row: number): number => FIRST_AT + row * 1000;

const KINDS = [
  'topic',
  'task',
  'tag',
  'example',
  'run',
  'test',
  'delivery',
  'styleGuide',
  'definition',
  'eval',
  'document',
  'version',
  'scrapeJob',
  'experiment',
  'variant',
  'step',
  'queue',
  'queueItem',
  'annotation',
  'quickstart',
  'upload',
  'conversation',
  'view',
  'note',
  'issue',
  'issueLink',
  'issueMessage',
  'trace',
  'runSet',
] as const;
export type Kind = (typeof KINDS)[number];

/** The id of a row: as good as random, so that ids are in another order than times are. */
export function idOf(kind: Kind, row: number): string {
  const mixed = Math.imul(row + 1, 2_654_435_761) >>> 0;
  const [first, number, last] = [hex(mixed, 8), hex(KINDS.indexOf(kind), 4), hex(row, 12)];
  return `${first}-${number}-4000-8000-${last}`;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/**
 * Expression for the parent of a row: a tenth of all rows belong to the first parent, the others to a thousand
 * parents in turn.
 */
const PARENT = 'CASE WHEN i % 10 THEN i % 1000 ELSE 0 END';
const uuid = (kind: Kind, row: string): string => `uuid('${kind}', ${row})`;
const TIMES = { created_at: 'at(i)', modified_at: 'at(i * 7919 % :rows)' };
const NO_REPORT: UploadReport = {
  rows: 0,
  created: { topics: 0, tasks: 0, inputExamples: 0, conversations: 0, documents: 0, definitions: 0 },
  rejected: [],
  rejectedCount: 0,
};
const LONG = "printf('%.*c', 500, 'x')";

/**
 * Condition that half of the tests meet: those of the variants of one experiment, 500 each, and of runs with 100
 * tests.
 */
const OF_EXPERIMENT = 'i % 2 = 0';
const VARIANT = `CASE WHEN ${OF_EXPERIMENT} THEN ${uuid('variant', 'i / 2 % 100')} END`;
const RUN = uuid('run', `CASE WHEN ${OF_EXPERIMENT} THEN :rows - 1 - i / 200 ELSE i END`);
const RUN_TYPE = `CASE WHEN ${OF_EXPERIMENT} THEN 'EXPERIMENT' ELSE ${oneOf('i / 2', ['MANUAL', 'SCHEDULED', 'MONITORING'])} END`;

function oneOf(row: string, values: readonly string[]): string {
  const cases = values.map((value, index) => `WHEN ${index} THEN '${value}'`);
  return `CASE (${row}) % ${values.length} ${cases.join(' ')} END`;
}

/**
 * Each table with the SQL that makes its columns; `i` counts rows from 0 up to :rows. Columns that are not named have
 * their defaults.
 */
export const TABLES: readonly (readonly [table: string, columns: Readonly<Record<string, string>>])[] = [
  [
    'topic',
    {
      id: uuid('topic', 'i'),
      title: "'Topic ' || i * 31 % 977",
      status: oneOf('i', ['ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED']),
      quickstart_id: uuid('quickstart', PARENT),
      is_tasks_verified: '0',
      is_documents_verified: '0',
      is_knowledge_base_verified: '0',
      is_policies_verified: '0',
      ...TIMES,
    },
  ],
  [
    'task',
    {
      id: uuid('task', 'i'),
      title: "'Task ' || i * 31 % 977",
      description: "'Where is order ' || i || '?'",
      type: oneOf('i', ['STATIC', 'NORMAL']),
      status: oneOf('i / 3', ['ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED']),
      topic_id: uuid('topic', PARENT),
      quickstart_id: uuid('quickstart', PARENT),
      is_verified: '0',
      figure_status: oneOf('i / 5', ['success', 'warning', 'error', 'no-tests']),
      confidence_level: oneOf('i / 7', ['HIGH', 'MEDIUM', 'LOW']),
      stability_level: oneOf('i / 11', ['HIGH', 'MEDIUM', 'LOW']),
      health_level: oneOf('i / 13', ['HIGH', 'MEDIUM', 'LOW']),
      schedule_criticality: oneOf('i', ['HIGH', 'MEDIUM', 'LOW']),
      ...TIMES,
    },
  ],
  [
    'example',
    {
      id: uuid('example', 'i'),
      task_id: uuid('task', 'i'),
      position: '0',
      prompt: LONG,
      expected: 'json_quote(i)',
      split: oneOf('i', ['train', 'test']),
      ...TIMES,
    },
  ],
  [
    'example_version',
    {
      example_id: uuid('example', 'i'),
      version: '1',
      prompt: LONG,
      is_object: '0',
      tags: "'[]'",
      weight: '1.0',
      status: "'ACTIVE'",
      replaced_at: '0',
    },
  ],
  [
    'tag',
    {
      id: uuid('tag', 'i'),
      name: "'Tag ' || i * 31 % 977",
      color: "'#3B82F6'",
      status: oneOf('i', ['ACTIVE', 'ACTIVE', 'ARCHIVED']),
      ...TIMES,
    },
  ],
  [
    'saved_view',
    {
      id: uuid('view', 'i'),
      owner: "CASE WHEN i < 200 THEN '' ELSE 'user:user-' || i / 200 END",
      screen: oneOf('i', ['traces', 'tests']),
      name: "'View ' || i",
      filter: "'{}'",
      creator_type: "'user'",
      creator_id: "'user-' || i / 200",
      creator_name: "'Ann'",
      ...TIMES,
    },
  ],
  ['task_tag', { task_id: uuid('task', 'i'), tag_id: uuid('tag', PARENT) }],
  [
    'task_schedule',
    {
      task_id: uuid('task', 'i'),
      criticality: oneOf('i', ['HIGH', 'MEDIUM', 'LOW']),
      timezone: "'UTC'",
      enabled: '0',
    },
  ],
  [
    'run',
    {
      id: uuid('run', 'i'),
      task_id: uuid('task', PARENT),
      type: oneOf('i', ['MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING']),
      experiment_variant_id: `CASE WHEN i % 4 = 2 THEN ${uuid('variant', 'i % 100')} END`,
      run_set_id: `CASE WHEN i % 4 = 0 THEN ${uuid('runSet', 'i / 4')} END`,
      ...TIMES,
    },
  ],
  [
    'run_set',
    {
      id: uuid('runSet', 'i'),
      title: "'Build ' || i",
      commit_id: "'commit-' || i",
      branch: oneOf('i', ['main', 'main', 'other']),
      status: oneOf('i / 3', ['COMPLETED', 'COMPLETED', 'FAILED', 'CANCELLED']),
      repeat: '1',
      planned_tests: '1',
      open_tests: '0',
      ...TIMES,
    },
  ],
  [
    'run_set_example',
    {
      run_set_id: uuid('runSet', 'i'),
      task_id: uuid('task', 'i'),
      place: '0',
      example_id: uuid('example', 'i'),
      version: '1',
    },
  ],
  [
    'run_set_link',
    {
      run_set_id: uuid('runSet', 'i'),
      task_id: uuid('task', 'i'),
      place: '0',
      definition_id: uuid('definition', PARENT),
      config: "'{}'",
    },
  ],
  [
    'run_set_definition',
    {
      run_set_id: uuid('runSet', 'i'),
      definition_id: uuid('definition', PARENT),
      version: '1',
      name: "'Definition'",
      type: "'CUSTOM'",
      repeats: '1',
      global_config: "'{}'",
    },
  ],
  [
    'test',
    {
      id: uuid('test', 'i'),
      task_id: uuid('task', PARENT),
      run_id: RUN,
      run_type: RUN_TYPE,
      status: oneOf('i / 2', ['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED']),
      phase: "'done'",
      failure: `CASE WHEN i / 2 % 4 = 3 THEN '{"code":"webhook_timeout","message":"no answer","hint":"answer sooner"}' END`,
      prompt: LONG,
      example_index: 'i % 10',
      experiment_id: `CASE WHEN ${OF_EXPERIMENT} THEN ${uuid('experiment', '0')} END`,
      experiment_variant_id: VARIANT,
      trace_id: "bytes('trace', i)",
      finished_evals: '1',
      passed_evals: 'i / 3 % 2',
      counted_evals: '1',
      counted_passed: 'CASE WHEN i / 2 % 4 = 3 THEN 0 ELSE i / 3 % 2 END',
      ...TIMES,
    },
  ],
  [
    'delivery',
    {
      id: uuid('delivery', 'i'),
      test_id: uuid('test', 'i / 2'),
      attempt: '1 + i % 2',
      is_sample: 'i % 100 = 0',
      url: "'https://example.com/hook'",
      span_id: "substr(bytes('delivery', i), 1, 8)",
      request_headers: "'{}'",
      request_body: `CAST(${LONG} AS BLOB)`,
      sent_at: 'at(i)',
      outcome: oneOf('i', ['answered', 'timeout', 'lost']),
      status_code: '200',
      response_headers: "'{}'",
      response_body: `CAST(${LONG} AS BLOB)`,
      finished_at: 'at(i)',
    },
  ],
  [
    'style_guide',
    {
      id: uuid('styleGuide', 'i'),
      quickstart_id: uuid('quickstart', PARENT),
      content: `json_array(json_object('heading', 'Tone', 'content', ${LONG}, 'approved', json('true')))`,
      ...TIMES,
    },
  ],
  [
    'definition',
    {
      id: uuid('definition', 'i'),
      name: "'Definition ' || i * 31 % 977",
      type: oneOf('i', ['CUSTOM', 'NATURALNESS', 'ASSERT']),
      status: oneOf('i / 3', ['ACTIVE', 'ACTIVE', 'ACTIVE', 'DRAFT']),
      global_config: `json_object('criterion', ${LONG})`,
      quickstart_id: uuid('quickstart', PARENT),
      version: '1',
      repeats: '1',
      ...TIMES,
    },
  ],
  [
    'definition_link',
    {
      definition_id: uuid('definition', 'i % 1000'),
      kind: oneOf('i / 2', ['task', 'topic']),
      target_id: `CASE i / 2 % 2 WHEN 0 THEN ${uuid('task', 'i')} ELSE ${uuid('topic', 'i')} END`,
      config: "'{}'",
      created_at: 'at(i)',
    },
  ],
  [
    'eval',
    {
      id: uuid('eval', 'i'),
      definition_id: uuid('definition', PARENT),
      definition_version: '1',
      definition_type: oneOf('i', ['CUSTOM', 'NATURALNESS', 'ASSERT']),
      test_id: `CASE WHEN i % 10 THEN ${uuid('test', 'i')} END`,
      trace_id: "bytes('trace', i)",
      task_id: `CASE WHEN i % 10 THEN ${uuid('task', PARENT)} END`,
      run_id: `CASE WHEN i % 10 THEN ${RUN} END`,
      run_type: `CASE WHEN i % 10 THEN ${RUN_TYPE} ELSE 'MONITORING' END`,
      status: oneOf('i / 2', ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'SKIPPED']),
      score: 'CASE WHEN i / 2 % 6 < 4 THEN 1 + i % 5 END',
      normalised: 'CASE WHEN i / 2 % 6 < 4 THEN i % 5 / 4.0 END',
      passed: 'CASE WHEN i / 2 % 6 < 4 THEN i / 3 % 2 END',
      version: '1',
      superseded: 'i % 20 = 7',
      cost: '0.001',
      latency_ms: '800',
      input_hash: "printf('%064x', i)",
      reason: LONG,
      results: `json_object('rationale', ${LONG})`,
      judge: `json_object('raw', ${LONG})`,
      ...TIMES,
    },
  ],
  ['figure', { kind: "'task'", id: uuid('task', 'i'), tests: '1', pass_rate: '0.5', due_at: 'NULL' }],
  [
    'document',
    {
      id: uuid('document', 'i'),
      type: oneOf('i', ['KNOWLEDGE', 'POLICY']),
      status: oneOf('i / 2', ['ACTIVE', 'ACTIVE', 'DRAFT']),
      title: "'Document ' || i * 31 % 977",
      optimized: '0',
      is_verified: 'i / 2 % 2',
      assignee: "CASE WHEN i % 5 THEN 'user-' || (i % 50) END",
      topic_id: uuid('topic', PARENT),
      quickstart_id: uuid('quickstart', PARENT),
      current_version: '1',
      chunk_count: '1',
      ...TIMES,
    },
  ],
  [
    'document_version',
    {
      document_id: uuid('document', 'i'),
      version_number: '1',
      id: uuid('version', 'i'),
      title: "'Document'",
      language: "'en'",
      status: "'APPROVED'",
      type: "'KNOWLEDGE'",
      preview: "printf('%.*c', 300, 'x')",
      metadata: "'{}'",
      original_sentences: "'[]'",
      content: LONG,
      ...TIMES,
    },
  ],
  [
    'document_chunk',
    {
      document_id: uuid('document', 'i'),
      position: '0',
      starts_at: '0',
      ends_at: '1500',
      text: LONG,
    },
  ],
  [
    'scrape_job',
    {
      id: uuid('scrapeJob', 'i'),
      initiated_by: "'user-1'",
      name: "'Site ' || i * 31 % 977",
      url: "'https://example.com/'",
      status: oneOf('i', ['COMPLETED', 'COMPLETED', 'FAILED']),
      quickstart_status: "'COMPLETED'",
      quickstart_id: uuid('quickstart', PARENT),
      options: `'{"maxPages":10,"maxDepth":1,"pathPrefix":"/","type":"KNOWLEDGE","topicId":null,"assignee":null}'`,
      ...TIMES,
    },
  ],
  [
    'scrape_page',
    {
      job_id: uuid('scrapeJob', 'i'),
      seq: '0',
      depth: '0',
      state: "'DONE'",
      url: "'https://example.com/' || i",
      title: "'Page'",
    },
  ],
  [
    'experiment',
    {
      id: uuid('experiment', 'i'),
      title: "'Experiment ' || i * 31 % 977",
      description: LONG,
      status: oneOf('i', ['DRAFT', 'IDLE', 'COMPLETED', 'ARCHIVED']),
      inference_step_ids: "'[]'",
      task_ids: "'[]'",
      assignee: "CASE WHEN i % 5 THEN 'user-' || (i % 50) END",
      ...TIMES,
    },
  ],
  // One experiment has as many variants as there may be.
  [
    'experiment_variant',
    {
      id: uuid('variant', 'i'),
      experiment_id: uuid('experiment', 'CASE WHEN i < 200 THEN 0 ELSE i END'),
      title: "'Variant ' || i",
      status: "'COMPLETED'",
      config_patch: `json_object('answer', json_object('system', ${LONG}))`,
      parent_id: `CASE WHEN i BETWEEN 1 AND 199 THEN ${uuid('variant', '0')} END`,
      started_at: 'at(i)',
      ...TIMES,
    },
  ],
  [
    'inference_step',
    {
      id: uuid('step', 'i'),
      type: oneOf('i', ['LLM', 'RETRIEVER']),
      external_id: "'step-' || i",
      title: "'Step ' || i * 31 % 977",
      description: LONG,
      ...TIMES,
    },
  ],
  [
    'annotation_queue',
    {
      id: uuid('queue', 'i'),
      title: "'Queue ' || i * 31 % 977",
      topic_id: uuid('topic', PARENT),
      ...TIMES,
    },
  ],
  [
    'annotation_queue_item',
    {
      id: uuid('queueItem', 'i'),
      queue_id: uuid('queue', PARENT),
      trace_id: "bytes('trace', i)",
      selection: "'MANUAL'",
      completed_at: 'CASE WHEN i / 2 % 2 THEN at(i * 7919 % :rows) END',
      expires_at: `at(i) + CASE WHEN i / 4 % 2 THEN 1 ELSE 10 * 365 * 86400000 END`,
      created_at: 'at(i)',
    },
  ],
  [
    'human_annotation',
    {
      id: uuid('annotation', 'i'),
      trace_id: "bytes('trace', i)",
      verdict: 'i / 2 % 2',
      critique: LONG,
      annotator_id: "'user-' || i % 50",
      source: oneOf('i', ['REVIEW_QUEUE', 'TRACE_PAGE', 'TEST_PAGE']),
      queue_item_id: `CASE WHEN i % 3 = 0 THEN ${uuid('queueItem', 'i')} END`,
      ...TIMES,
    },
  ],
  [
    'note',
    {
      id: uuid('note', 'i'),
      trace_id: "bytes('trace', i)",
      content: LONG,
      mentions: "'[]'",
      issue_id: `CASE WHEN i % 2 THEN ${uuid('issue', PARENT)} END`,
      creator_type: "'user'",
      creator_id: "'user-' || i % 50",
      creator_name: "'Ann'",
      ...TIMES,
    },
  ],
  [
    'issue',
    {
      id: uuid('issue', 'i'),
      number: 'i + 1',
      title: "'Issue ' || i * 31 % 977",
      description: LONG,
      status: oneOf('i', ['OPEN', 'RESOLVED', 'REJECTED']),
      type: oneOf('i', ['BUG', 'USER_SIGNAL']),
      source: oneOf('i', ['TEST', 'API', 'MONITORING']),
      priority: oneOf('i', ['LOW', 'MEDIUM', 'HIGH']),
      topic_id: uuid('topic', PARENT),
      link_count: '1',
      deleted_count: '0',
      last_seen_at: 'at(i)',
      creator_type: "'user'",
      creator_id: "'user-' || i % 50",
      creator_name: "'Ann'",
      ...TIMES,
    },
  ],
  [
    'issue_link',
    {
      id: uuid('issueLink', 'i'),
      issue_id: uuid('issue', PARENT),
      trace_id: "bytes('trace', i)",
      seen_at: 'at(i)',
      source: "'SELECTION'",
      created_at: 'at(i)',
    },
  ],
  [
    'issue_message',
    {
      id: uuid('issueMessage', 'i'),
      type: "'issue.created'",
      issue_id: uuid('issue', PARENT),
      event_id: uuid('issue', 'i'),
      status: oneOf('i', ['DELIVERED', 'FAILED']),
      attempts: '1',
      created_at: 'at(i)',
    },
  ],
  [
    'quickstart',
    {
      id: uuid('quickstart', 'i'),
      name: "'Quickstart ' || i * 31 % 977",
      status: oneOf('i', ['COMPLETE', 'POLICIES_REVIEW', 'FAILED']),
      ...TIMES,
    },
  ],
  [
    'upload',
    {
      id: uuid('upload', 'i'),
      quickstart_id: uuid('quickstart', 'i / 10'),
      file_name: "'tasks.csv'",
      file_size: '1000',
      status: "'COMPLETED'",
      material_type: "'conversations'",
      report: `'${JSON.stringify(NO_REPORT)}'`,
      ...TIMES,
    },
  ],
  [
    'conversation',
    {
      id: uuid('conversation', 'i'),
      quickstart_id: uuid('quickstart', PARENT),
      upload_id: uuid('upload', PARENT),
      task_id: uuid('task', PARENT),
      turn_count: '1',
      characters: '500',
      created_at: TIMES.created_at,
    },
  ],
  ['conversation_turn', { conversation_id: uuid('conversation', 'i'), role: "'user'", content: LONG }],
  [
    'trace',
    {
      tkey: 'i + 1',
      trace_id: "bytes('trace', i)",
      native: '1',
      start_ns: 'at(i) * 1000000',
      end_ns: 'at(i) * 1000000 + (i % 5000) * 1000000',
      received_at: 'at(i)',
      updated_at: 'at(i)',
      next_seq: '0',
      span_count: '3',
      error_count: 'i / 2 % 2',
      input_tokens: '100',
      output_tokens: 'i % 500',
      total_tokens: '100 + i % 500',
      cost: 'i % 100 / 1000.0',
      kinds: '0',
      flags: '0',
      root_rank: '0',
      root_ns: 'at(i) * 1000000',
      root_name: "'answer'",
      session_id: `'session-' || i`,
      user_id: `'user-' || (${PARENT})`,
      models: `'["gpt-5"]'`,
      services: `'["shop"]'`,
    },
  ],
  ['session', { id: "'session-' || i", first_ns: 'at(i) * 1000000', last_ns: 'at(i) * 1000000' }],
  [
    'trace_preview',
    {
      tkey: 'i + 1',
      input: "printf('%.*c', 300, 'x')",
      input_rank: '0',
      input_ns: '0',
      output: "printf('%.*c', 300, 'x')",
      output_rank: '0',
      output_ns: '0',
      metadata_rank: '0',
      metadata_ns: '0',
    },
  ],
  ['trace_test', { test_id: "bytes('test', i)", tkey: 'i + 1', first_ns: '0', via: '0' }],
  ['trace_attr', { key: "'model'", value: "'gpt-5'", tkey: 'i + 1' }],
  ['trace_attr', { key: "'kind'", value: "'LLM'", tkey: 'i + 1' }],
  ['trace_attr', { key: "'tag'", value: `'tag-' || (${PARENT})`, tkey: 'i + 1' }],
  ['trace_attr', { key: "'metadata.plan'", value: "'plan-' || i % 3", tkey: 'i + 1' }],
  [
    'ledger',
    {
      hour: 'i * 3600000',
      key_id: "'key'",
      requests: '1',
      received: '1',
      stored: '1',
      duplicate: '0',
      replaced: '0',
      rejected: '0',
      reasons: "'{}'",
      notices: "'{}'",
    },
  ],
];
