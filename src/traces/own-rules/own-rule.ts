import type { Field } from '../conventions/rule.ts';
import type { ObservationKind } from '../span-kinds.ts';

/** Fields that own rules can give. */
export const OWN_FIELDS = [
  'kind',
  'input',
  'output',
  'inputMessages',
  'outputMessages',
  'systemInstructions',
  'toolDefinitions',
  'documents',
  'model',
  'provider',
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
  'serviceTier',
  'toolName',
  'toolCallId',
  'toolDescription',
  'agentName',
  'promptName',
  'promptVersion',
  'promptTemplate',
  'promptVariables',
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
] as const satisfies readonly Field[];
export type OwnField = (typeof OWN_FIELDS)[number];

/** Fields that a key with an asterisk can give: each key becomes one entry of an object, or means a kind. */
export const PREFIX_FIELDS: readonly OwnField[] = ['kind', 'input', 'output', 'promptVariables', 'metadata'];

/** Name under which fields of own rules say where they came from. */
export const OWN_VOCABULARY = 'own';

/** A rule of an application: an attribute, and the field that it gives. */
export interface OwnRule {
  /** Key of the attribute; with a final `*`, every key that begins so. */
  key: string;
  field: OwnField;
  /** Path into the value, whose text is parsed as JSON: `request.prompt`, `messages[0].content`. */
  path?: string | undefined;
  /** Type as which the value is read; default: as it was sent. */
  type?: 'text' | 'number' | 'json' | undefined;
  /** Kind of a span that has the attribute. */
  kind?: ObservationKind | undefined;
  /** Kinds by value of the attribute, for the field `kind`. */
  kinds?: Readonly<Record<string, ObservationKind>> | undefined;
}

const SEGMENT = /\.?([^.[\]"]+)|\[(\d{1,6})\]|\["([^"]+)"\]/y;
const MAX_SEGMENTS = 16;

/** Splits a path into names and indexes; null when it is not one. `$` at its beginning is allowed. */
export function parsePath(path: string): (string | number)[] | null {
  const text = path.replace(/^\$\.?/, '');
  const segments: (string | number)[] = [];
  let at = 0;
  while (at < text.length) {
    SEGMENT.lastIndex = at;
    const found = SEGMENT.exec(text);
    if (!found || segments.length >= MAX_SEGMENTS) return null;
    const [, name, index, quoted] = found;
    segments.push(index === undefined ? ((name ?? quoted) as string) : Number(index));
    at = SEGMENT.lastIndex;
  }
  return segments;
}
