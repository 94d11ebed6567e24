/** Screens with a filter line. */
export const FILTER_SCREENS = ['traces', 'tests', 'results', 'sessions'] as const;
export type FilterScreen = (typeof FILTER_SCREENS)[number];

/**
 * Kind of the values of a field. `text`: part of a text, ignoring case; `name`: a complete name; `choice`: one of
 * `values`; `error`: yes, no, or a text; the others are amounts, for comparisons and ranges.
 */
export type FieldKind =
  | 'text'
  | 'name'
  | 'choice'
  | 'error'
  | 'duration'
  | 'dollars'
  | 'count'
  | 'share'
  | 'length'
  | 'time'
  | 'field';

export interface FilterField {
  name: string;
  kind: FieldKind;
  /** Description of the field in one line. */
  hint: string;
  /** Example of a term with the field. */
  example: string;
  /** All values of a choice; values to suggest for others. */
  values: readonly string[];
  /** True if the key follows the name after a dot: `metadata.<key>`. */
  hasKey: boolean;
  /** True if `has:` may name the field, because not every record has a value. */
  canBeAbsent: boolean;
  /** True if the field is known only from the steps of a trace, which are searched within bounds. */
  isOfSteps: boolean;
}

type Given = Pick<FilterField, 'name' | 'kind' | 'hint' | 'example'> & Partial<FilterField>;

const field = (given: Given): FilterField => ({
  values: [],
  hasKey: false,
  canBeAbsent: false,
  isOfSteps: false,
  ...given,
});

const optional = (given: Given): FilterField => field({ ...given, canBeAbsent: true });

const KIND_NAMES = [
  'LLM',
  'EMBEDDING',
  'TOOL',
  'RETRIEVER',
  'RERANKER',
  'AGENT',
  'CHAIN',
  'GUARDRAIL',
  'EVALUATOR',
] as const;

/** Every field of the language, in the order of the documentation. */
export const FILTER_FIELDS: readonly FilterField[] = [
  field({
    name: 'name',
    kind: 'text',
    hint: 'name of the trace; title of the task of a test',
    example: 'name:checkout',
  }),
  optional({ name: 'input', kind: 'text', hint: 'beginning of the input', example: 'input:"order 7781"' }),
  optional({ name: 'output', kind: 'text', hint: 'beginning of the output', example: 'output:/14 days/' }),
  field({
    name: 'text',
    kind: 'text',
    hint: 'input, output and every step; the same as words without a field',
    example: 'text:"money back"',
    isOfSteps: true,
  }),
  optional({
    name: 'kind',
    kind: 'choice',
    hint: 'has a step of this kind',
    example: 'kind:TOOL',
    values: KIND_NAMES,
  }),
  optional({
    name: 'tool',
    kind: 'name',
    hint: 'tool that was called',
    example: 'tool:issue_refund',
    isOfSteps: true,
  }),
  field({
    name: 'error',
    kind: 'error',
    hint: 'has a failed step: yes, no, or a text of its name or message',
    example: 'error:yes',
    values: ['yes', 'no'],
    isOfSteps: true,
    canBeAbsent: true,
  }),
  optional({ name: 'model', kind: 'name', hint: 'model that was called', example: 'model:gpt-5*' }),
  optional({ name: 'provider', kind: 'name', hint: 'provider of a model', example: 'provider:openai' }),
  optional({
    name: 'environment',
    kind: 'name',
    hint: 'deployment environment',
    example: 'environment:production',
  }),
  optional({ name: 'tag', kind: 'name', hint: 'tag of the trace', example: 'tag:beta' }),
  optional({ name: 'session', kind: 'name', hint: 'id of the conversation', example: 'session:c-17' }),
  optional({ name: 'user', kind: 'name', hint: 'id of the user', example: 'user:ada' }),
  optional({ name: 'topic', kind: 'name', hint: 'topic of the task', example: 'topic:Refunds' }),
  field({
    name: 'version',
    kind: 'name',
    hint: 'version of the app or of its prompt',
    example: 'version:v15',
    isOfSteps: true,
  }),
  optional({
    name: 'metadata',
    kind: 'name',
    hint: 'value of a key of the metadata',
    example: 'metadata.channel:app',
    hasKey: true,
  }),
  optional({
    name: 'verdict',
    kind: 'choice',
    hint: 'verdict of an evaluator',
    example: 'verdict:fail',
    values: ['pass', 'fail', 'none'],
  }),
  optional({ name: 'evaluator', kind: 'name', hint: 'evaluator that judged', example: 'evaluator:"Facts"' }),
  optional({ name: 'score', kind: 'share', hint: 'score of a verdict, from 0 to 1', example: 'score:<0.5' }),
  optional({
    name: 'human',
    kind: 'choice',
    hint: 'verdict of a reviewer',
    example: 'human:fail',
    values: ['pass', 'fail', 'unsure'],
  }),
  optional({
    name: 'note',
    kind: 'text',
    hint: 'text of a note',
    example: 'note:refund',
  }),
  optional({
    name: 'issue',
    kind: 'name',
    hint: 'linked issue: its number, title or id',
    example: 'issue:33',
  }),
  optional({
    name: 'task',
    kind: 'name',
    hint: 'task of the test, by title or id',
    example: 'task:"Refund policy"',
  }),
  optional({ name: 'run', kind: 'name', hint: 'id of the run', example: 'run:0190…' }),
  optional({ name: 'test', kind: 'name', hint: 'id of the test', example: 'test:0190…' }),
  optional({
    name: 'example',
    kind: 'name',
    hint: 'example that was sent: its id, or its number from 1',
    example: 'example:17',
  }),
  optional({
    name: 'outcome',
    kind: 'choice',
    hint: 'outcome of the test',
    example: 'outcome:FAILED',
    values: ['PASSED', 'FAILED', 'APP_ERROR', 'NO_VERDICT', 'NOT_RUN', 'RUNNING'],
  }),
  optional({
    name: 'cause',
    kind: 'name',
    hint: 'cause of the failure of the test',
    example: 'cause:failure:trace_missing*',
  }),
  field({
    name: 'duration',
    kind: 'duration',
    hint: 'time from start to end',
    example: 'duration:>2s',
    values: ['>2s', '>10s', '<500ms', '1s..5s'],
  }),
  optional({
    name: 'cost',
    kind: 'dollars',
    hint: 'cost in US dollars',
    example: 'cost:>0.01',
    values: ['>0.01', '>1'],
  }),
  field({
    name: 'tokens',
    kind: 'count',
    hint: 'number of tokens',
    example: 'tokens:>1k',
    values: ['>1k', '>100k'],
  }),
  field({ name: 'spans', kind: 'count', hint: 'number of spans', example: 'spans:>20', values: ['>20'] }),
  field({
    name: 'last',
    kind: 'length',
    hint: 'started in this time',
    example: 'last:24h',
    values: ['1h', '24h', '7d', '30d'],
  }),
  field({
    name: 'from',
    kind: 'time',
    hint: 'started then or later; UTC without an offset',
    example: 'from:2026-03-31',
  }),
  field({
    name: 'to',
    kind: 'time',
    hint: 'started then or earlier; a day is included',
    example: 'to:2026-03-31T10:00',
  }),
  field({
    name: 'samples',
    kind: 'choice',
    hint: 'with samples of the webhook',
    example: 'samples:yes',
    values: ['yes'],
  }),
  field({
    name: 'service',
    kind: 'choice',
    hint: 'with traces of deliveries that no span of the app joined',
    example: 'service:yes',
    values: ['yes'],
  }),
  field({ name: 'has', kind: 'field', hint: 'has any value of a field', example: 'has:user' }),
];

/** Other names of fields: those of earlier versions of the dashboard. */
const ALIASES: Readonly<Record<string, string>> = { errors: 'error', conversation: 'session' };

const BY_NAME = new Map(FILTER_FIELDS.map((one) => [one.name, one]));

/** Reports whether a field adds rows to a list instead of choosing among them. */
export const addsRows = (name: string): boolean => name === 'samples' || name === 'service';

/** Returns the field with a name, ignoring case; undefined if there is none. */
export function fieldNamed(name: string): FilterField | undefined {
  const lower = name.toLowerCase();
  return BY_NAME.get(ALIASES[lower] ?? lower);
}

/** Fields that a screen does not know. */
const NOT_ON: Readonly<Record<FilterScreen, readonly string[]>> = {
  traces: [],
  sessions: [],
  tests: ['samples', 'service', 'tool', 'version'],
  results: ['samples', 'service', 'tool', 'version'],
};

/** Returns the fields that can be filtered by on a screen, in order. */
export const filterFieldsOf = (screen: FilterScreen): readonly FilterField[] =>
  FILTER_FIELDS.filter(({ name }) => !NOT_ON[screen].includes(name));
