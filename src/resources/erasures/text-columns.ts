/**
 * Every column of the store that may have a text of a trace, with the way an erasure reaches it. A test compares this list and
 * `COLUMNS_WITHOUT_TEXTS` with the schema, so that a new column has to be put into one of them.
 */

/** Ways in which an erasure removes a text. */
export type Reach =
  /** The row is deleted with the trace, step by step. */
  | 'with the trace'
  /** The row is deleted with the last trace of its session, or when no other row refers to it. */
  | 'with the last reference'
  /** The text is replaced or removed, and the row stays, when a trace of the test or of the eval is deleted. */
  | 'cleared with the trace'
  /** The row is an example, a version or a prompt of a model that has texts of the trace, and is deleted. */
  | 'with the copies'
  /** The text is replaced, and the row stays, because it was copied from the trace. */
  | 'cleared as a copy'
  /** The row names the user or the session, and is deleted or has a hash afterwards. */
  | 'by the id'
  /** The erasure keeps the id only until its traces are deleted. */
  | 'by its end';

type Columns<T> = Readonly<Record<string, T>>;

/** Columns that an example and its earlier versions have. */
const CONTENT_OF_EXAMPLES: Columns<Reach> = {
  prompt: 'with the copies',
  expected: 'with the copies',
  rubric: 'with the copies',
  rubrics: 'with the copies',
  assertions: 'with the copies',
  metadata: 'with the copies',
  tags: 'with the copies',
  split: 'with the copies',
};

/** Columns by table that may have texts of a trace. */
export const TEXT_COLUMNS: Readonly<Record<string, Columns<Reach>>> = {
  trace: {
    root_name: 'with the trace',
    session_id: 'with the trace',
    user_id: 'with the trace',
    models: 'with the trace',
    services: 'with the trace',
    attributes: 'with the trace',
  },
  trace_preview: { input: 'with the trace', output: 'with the trace', metadata: 'with the trace' },
  trace_attr: { value: 'with the trace' },
  chunk: { skeleton: 'with the trace', payload: 'with the trace' },
  span_log: { record: 'with the trace' },
  // The match is a hash; small texts can be guessed.
  open_step: { match: 'with the trace' },
  resource: { bytes: 'with the last reference' },
  session: { id: 'with the last reference' },
  monitored_session: { session_id: 'with the last reference' },
  purge: { session_id: 'with the trace' },
  // The criteria have citations.
  human_annotation: {
    critique: 'with the trace',
    corrected_output: 'with the trace',
    criteria: 'with the trace',
  },
  note: { content: 'with the trace', quote: 'with the trace' },
  eval: {
    results: 'cleared with the trace',
    judge: 'cleared with the trace',
    reason: 'cleared with the trace',
  },
  judge_call: { request: 'cleared with the trace', raw: 'cleared with the trace' },
  delivery: {
    request_body: 'cleared with the trace',
    response_body: 'cleared with the trace',
    response_headers: 'cleared with the trace',
    message: 'cleared with the trace',
  },
  test: {
    failure: 'cleared with the trace',
    prompt: 'cleared as a copy',
    prompt_object: 'cleared as a copy',
    metadata: 'cleared as a copy',
  },
  test_event: { detail: 'cleared with the trace' },
  example: { key: 'with the copies', ...CONTENT_OF_EXAMPLES },
  example_version: CONTENT_OF_EXAMPLES,
  task: { title: 'cleared as a copy' },
  copied_trace: { user_hash: 'with the copies', session_hash: 'with the copies' },
  saved_view: { filter: 'by the id' },
  issue: { match_line: 'by the id' },
  audit_entry: { resource_id: 'by the id' },
  erasure: { subject: 'by its end', other_forms: 'by its end' },
};

const ID = 'an id, a hash or a key of the service';
const FIXED = 'one of a fixed set of values, or numbers';
const PEOPLE = 'written by people or their programs; the service copies no trace into it';
const FILES = 'read from files or pages that people chose';
const SIGN_IN = 'about accounts and their sign-in';

/** Columns by table, and why they have no text of a trace; those named in every table are in `NAMED_ALIKE`. */
export const COLUMNS_WITHOUT_TEXTS: Readonly<Record<string, Columns<string>>> = {
  annotation_queue: {
    title: PEOPLE,
    assignee_id: PEOPLE,
    criteria: PEOPLE,
    reviewer_ids: PEOPLE,
    document_ids: ID,
    disagreement: FIXED,
  },
  annotation_draw: { filter: FIXED },
  annotation_queue_item: { selection: FIXED },
  annotation_review: { person: PEOPLE, state: FIXED, token: ID, verdicts: FIXED },
  api_key: { hash: ID, name: PEOPLE, scopes: FIXED },
  application: {
    title: PEOPLE,
    slug: PEOPLE,
    description: PEOPLE,
    context: PEOPLE,
    language: PEOPLE,
    environment: FIXED,
  },
  audit_entry: { action: FIXED, detail: `${SIGN_IN}, or the name of a backup` },
  closed_step: { end_id: ID },
  conversation: { external_id: FILES },
  conversation_turn: { role: FIXED, content: FILES },
  deleted_item: { tests: ID },
  definition: { name: PEOPLE, scope: FIXED, global_config: PEOPLE },
  definition_link: { config: PEOPLE },
  delivery: {
    url: PEOPLE,
    request_headers: 'names of headers, and those of the service; values of others are masked',
    outcome: FIXED,
    timings: FIXED,
  },
  document: { title: PEOPLE, assignee: PEOPLE },
  document_chunk: { text: PEOPLE },
  document_version: {
    title: PEOPLE,
    language: PEOPLE,
    preview: PEOPLE,
    metadata: PEOPLE,
    original_sentences: PEOPLE,
    content: PEOPLE,
  },
  erasure: { subject_type: FIXED, subject_hash: ID, counts: FIXED, copies: 'names of files and calls' },
  eval: { definition_type: FIXED, run_type: FIXED, input_hash: ID, judge_version: ID },
  example_data: { step: FIXED, failure: 'errors of the service', made: ID },
  experiment: { title: PEOPLE, description: PEOPLE, inference_step_ids: ID, task_ids: ID, assignee: PEOPLE },
  experiment_variant: { title: PEOPLE, description: PEOPLE, config_patch: PEOPLE },
  human_annotation: { annotator_id: PEOPLE, source: FIXED, eval_definition_id: ID, part_of: ID },
  idempotency: {
    key: 'chosen by the sender for a request',
    request_hash: ID,
    response: 'ids of traces, and errors of events that were not stored; kept for a day',
  },
  inference_step: { external_id: PEOPLE, title: PEOPLE, description: PEOPLE },
  invitation: { email: SIGN_IN, role: SIGN_IN },
  issue: {
    title: PEOPLE,
    description: PEOPLE,
    source: FIXED,
    priority: FIXED,
    merged_into: ID,
    resolution: PEOPLE,
    rejection: PEOPLE,
    creator_type: FIXED,
    creator_name: PEOPLE,
  },
  issue_event: { detail: PEOPLE },
  issue_link: { source: FIXED },
  issue_message: { error: 'errors of connections, and statuses of responses' },
  issue_webhook: { url: PEOPLE, secret: ID, previous_secret: ID, events: FIXED },
  job: { key: ID, state: FIXED, reason: 'errors of the service and of connections' },
  canary: { judge_version: ID },
  canary_verdict: {},
  judge_call: { judge: PEOPLE, model: PEOPLE, fingerprint: ID },
  judge_day: { day: FIXED },
  judge_prompt: { system: 'instructions of definitions, with no text of a trace' },
  ledger: { reasons: FIXED, notices: FIXED },
  masked_value: { detector: PEOPLE, attribute: 'names of attributes' },
  masking: { rules: PEOPLE },
  membership: { role: SIGN_IN },
  note: { field: FIXED, mentions: ID, creator_type: FIXED, creator_name: PEOPLE },
  own_rules: { part: FIXED, content: PEOPLE },
  own_remap: { version: FIXED },
  quickstart: { name: PEOPLE, reason: 'errors of the service' },
  rejection: {
    source: FIXED,
    reason: FIXED,
    message: 'about spans that were rejected, which no trace has; kept for days',
  },
  run: {},
  run_set: {
    title: PEOPLE,
    branch: PEOPLE,
    pull_request: PEOPLE,
    build_url: PEOPLE,
    author: PEOPLE,
    metadata: PEOPLE,
    examples: 'ids and splits that were chosen',
    position: ID,
    baseline_runs: ID,
    decision: FIXED,
  },
  run_set_definition: {
    name: PEOPLE,
    global_config: PEOPLE,
    style_guide: PEOPLE,
    judge_version: ID,
    gate_state: FIXED,
    gate_judge: ID,
    gate_reason: FIXED,
  },
  run_set_link: { config: PEOPLE },
  run_set_example: {},
  saved_view: {
    owner: ID,
    screen: FIXED,
    name: PEOPLE,
    columns: FIXED,
    sort: FIXED,
    creator_type: FIXED,
    creator_name: PEOPLE,
  },
  scrape_job: {
    initiated_by: ID,
    name: PEOPLE,
    url: PEOPLE,
    quickstart_status: FIXED,
    options: PEOPLE,
    reason: FILES,
  },
  scrape_page: {
    state: FIXED,
    url: FILES,
    final_url: FILES,
    title: FILES,
    description: FILES,
    content: FILES,
    error: FILES,
  },
  span: { hash: ID },
  response_span: { response: ID },
  span_log: { hash: ID },
  style_guide: { content: PEOPLE },
  tag: { name: PEOPLE, color: PEOPLE, description: PEOPLE },
  task: {
    description: PEOPLE,
    metadata: PEOPLE,
    simulated_prompt_schema: PEOPLE,
    figure_status: FIXED,
    confidence_level: FIXED,
    stability_level: FIXED,
    health_level: FIXED,
    schedule_criticality: FIXED,
  },
  task_schedule: { criticality: FIXED, cron: PEOPLE, timezone: PEOPLE },
  sign_in_failure: { subject: ID },
  test: { run_type: FIXED, phase: FIXED, experiment: PEOPLE },
  test_event: { phase: FIXED },
  test_result: { input: ID, outcome: FIXED, basis: FIXED, cause: ID },
  trace_attr: { key: FIXED },
  topic: { title: PEOPLE, baseline: PEOPLE, assigned_to: PEOPLE, description: PEOPLE },
  upload: { file_name: FILES, material_type: FIXED, error_message: FILES, report: FILES },
  upload_part: { bytes: FILES },
  user_account: { email: SIGN_IN, name: SIGN_IN, password_hash: SIGN_IN },
  user_login: { csrf_key: SIGN_IN, address: SIGN_IN, user_agent: SIGN_IN, browser_hash: SIGN_IN },
  variant_start: { task_ids: ID, experiment: PEOPLE },
  webhook: { url: PEOPLE, headers: PEOPLE, secret: ID, previous_secret: ID },
};

/** Columns that have no text of a trace in any table, and why. */
export const NAMED_ALIKE: Columns<string> = {
  status: FIXED,
  type: FIXED,
  kind: FIXED,
  hash: ID,
  token_hash: ID,
  prompt_hash: ID,
  actor_type: FIXED,
  actor_name: PEOPLE,
};

/** Reports whether a column has an id by its name; ids that customers choose are in `TEXT_COLUMNS`. */
export const isIdColumn = (name: string): boolean =>
  name === 'id' || name.endsWith('_id') || name === 'origin' || name === 'replay_of';
