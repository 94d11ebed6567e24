import { readChatMessages } from '../conventions/chat-messages.ts';
import { parseJson } from '../conventions/json.ts';
import type { JsonValue } from '../span-wire.ts';
import type { OwnField } from './own-rule.ts';

/** Endings of keys whose values are numbers, as words; null for parts of counts and costs, which have no field. */
const NUMBERS: readonly (readonly [pattern: RegExp, field: OwnField | null])[] = [
  [/\b(?:audio|image|ephemeral)\b.* tokens?$/, null],
  [/\bcach\w* (?:creation|write|written)\b/, null],
  [/\bcach\w* (?:read )?(?:input |prompt )?tokens?$|\bcache read\b|tokens cach\w*$/, 'cacheReadTokens'],
  [/\b(?:input|prompt|output|completion|cach\w*|reasoning|audio) (?:cost|price|usd)\b/, null],
  [/\b(?:cost|price|usd) (?:input|prompt|output|completion|cach\w*)\b/, null],
  [/(?:prompt|input) tokens?$|tokens (?:in|prompt|input)$/, 'inputTokens'],
  [/(?:completion|output|answer) tokens?$|tokens (?:out|completion|output)$/, 'outputTokens'],
  [/total tokens?$|tokens total$/, 'totalTokens'],
  [/reasoning tokens?$/, 'reasoningTokens'],
  [/(?:cost|price|usd)(?: total| usd)?$/, 'cost'],
];

/** Endings of keys whose values are texts or objects, as words. */
const VALUES: readonly (readonly [pattern: RegExp, field: OwnField])[] = [
  [/(?:session|conversation|thread|chat) ?(?:id|key)?$/, 'sessionId'],
  [/(?:user|customer|end ?user) ?(?:id|name|email)?$/, 'userId'],
  [/model(?: name| id)?$/, 'model'],
  [/(?:provider|vendor)(?: name)?$/, 'provider'],
  [/tool(?: name)?$|function name$/, 'toolName'],
  [/agent(?: name)?$/, 'agentName'],
  [/(?:system (?:prompt|instructions?)|instructions?)$/, 'systemInstructions'],
  [/(?:documents?|chunks?|passages?|contexts?)$/, 'documents'],
  [/(?:input|prompt|question|query|request|user message|arguments|args)(?: text| body| value)?$/, 'input'],
  [/(?:output|answer|completion|response|reply|result)(?: text| body| value)?$/, 'output'],
  [/(?:env|environment)$/, 'environment'],
  [/tags$/, 'tags'],
  [/(?:finish|stop) reasons?$/, 'finishReasons'],
  [/(?:metadata|meta)$/, 'metadata'],
];

/** Returns the field that a key no rule reads probably means, by its name and a value of it; null when it is unclear. */
export function proposedField(key: string, value: JsonValue): OwnField | null {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ')
    .trim();
  const isNumber =
    typeof value === 'number' || (typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value));
  const ofNumber = isNumber ? NUMBERS.find(([pattern]) => pattern.test(words)) : undefined;
  if (ofNumber) return ofNumber[1];
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  if (typeof parsed === 'object' && readChatMessages(parsed))
    return /output|answer|completion|response|reply/.test(words) ? 'outputMessages' : 'inputMessages';
  return VALUES.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}
