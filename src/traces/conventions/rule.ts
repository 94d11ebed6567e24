import type { SpanKind } from '../span.ts';

/** What a span attribute can tell us, in our one model. */
export const FIELDS = [
  'kind',
  'input',
  'inputMimeType',
  'output',
  'outputMimeType',
  'model',
  'inputTokens',
  'outputTokens',
  'cost',
  'sessionId',
  'userId',
  'tags',
  'metadata',
  'testId',
  'event',
  'group',
  'key',
  'params',
  'stepId',
  'stepParentId',
  'open',
  'unpaired',
] as const;
export type Field = (typeof FIELDS)[number];

/** One attribute key that gives one field. */
export interface Rule {
  key: string;
  field: Field;
  /** The vocabulary this spelling belongs to. */
  vocabulary: string;
  /** For `kind`: attribute value → kind. A value that is not listed says nothing, and the next rule is asked. */
  kinds?: Readonly<Record<string, SpanKind>>;
}
