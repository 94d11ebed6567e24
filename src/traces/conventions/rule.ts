import type { SpanKind } from '../span.ts';
import type { JsonValue } from '../span-wire.ts';

/**
 * Fields of the one model that attributes of spans are mapped to. Tokens of input include cached ones, of output
 * reasoning.
 */
export const FIELDS = [
  'kind',
  'input',
  'inputMimeType',
  'output',
  'outputMimeType',
  'inputMessages',
  'outputMessages',
  'systemInstructions',
  'toolDefinitions',
  'documents',
  'model',
  'provider',
  'parameters',
  'responseId',
  'finishReasons',
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'cost',
  'toolName',
  'toolCallId',
  'toolDescription',
  'agentName',
  'promptName',
  'promptVersion',
  'promptTemplate',
  'promptVariables',
  'firstTokenMs',
  'evaluations',
  'errorType',
  'level',
  'statusMessage',
  'sessionId',
  'userId',
  'tags',
  'environment',
  'metadata',
  'traceName',
  'traceInput',
  'traceOutput',
  'testId',
  'event',
  'group',
  'key',
  'params',
  'stepId',
  'stepParentId',
  'open',
  'unpaired',
  'delivery',
] as const;
export type Field = (typeof FIELDS)[number];

/** Something on a span that gives one field. */
export interface Rule {
  /**
   * An attribute's key. `a.*` = every key that begins with `a.`; `a.#` = those that go on with an index, as flattened
   * lists do; `event a` = a span event or log record of that name.
   */
  key: string;
  field: Field;
  /** Kind for each value of the attribute, for the field `kind`; or the one kind its mere presence means. */
  kinds?: Readonly<Record<string, SpanKind>> | SpanKind;
  /** Text in it is the JSON of what was meant. */
  json?: true;
  /** The part of the attribute's value that gives the field; JSON text has been parsed. Undefined = it gives nothing. */
  pick?: (value: JsonValue) => JsonValue | undefined;
}

/** One way of naming things on spans, as one project has settled on it. */
export interface Vocabulary {
  name: string;
  rules: readonly Rule[];
}
