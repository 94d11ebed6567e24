import type { ObservationKind } from '../span-kinds.ts';
import type { JsonValue } from '../span-wire.ts';

/**
 * Fields of the data model to which attributes of spans are mapped. Input tokens include cached ones, output tokens
 * those of reasoning.
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
  'cacheWriteHourTokens',
  'audioInputTokens',
  'audioCacheReadTokens',
  'audioOutputTokens',
  'reasoningTokens',
  'cost',
  'inputCost',
  'outputCost',
  'serviceTier',
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
  'version',
  'metadata',
  'traceName',
  'displayName',
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
  'stepStatus',
  'stepError',
  'statusCode',
  'sentOrder',
  'guardrailAction',
  'guardrailTriggered',
  'guardrailType',
  'evaluatorName',
  'evaluationScore',
  'evaluationLabel',
  'evaluationExplanation',
] as const;
export type Field = (typeof FIELDS)[number];

/** A source of one field on a span. */
export interface Rule {
  /**
   * Key of an attribute. `a.*` stands for every key with the prefix `a.`; `a.#` for those that continue with an
   * index, as flattened lists do; `event a` for a span event or log record of that name.
   */
  key: string;
  field: Field;
  /** Kind for each value of the attribute, for the field `kind`; or the one kind that its presence means. */
  kinds?: Readonly<Record<string, ObservationKind>> | ObservationKind;
  /** True if a text value is JSON that must be parsed. */
  json?: true;
  /**
   * Returns the part of the attribute's value for the field, with JSON text already parsed; undefined when there is
   * none. For an event, the value is an object with its attributes as they were sent.
   */
  pick?: (value: JsonValue) => JsonValue | undefined;
  /** True if the text `none` stands for no value. */
  isNoneAbsent?: true;
  /** True if other senders use the key for something else: the attribute stays among the metadata, too. */
  isCommonWord?: true;
}

/** The attribute names of one instrumentation project. */
export interface Vocabulary {
  name: string;
  rules: readonly Rule[];
}
