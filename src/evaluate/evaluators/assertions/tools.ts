import { nfc } from '../../../contract/text-forms.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonValue } from '../../../traces/span-wire.ts';
import type { Subject, ToolCall } from '../../subject.ts';
import { assertion, quote, quoteAll, yesOrNo } from './assertion.ts';
import { jsonIn } from './find-json.ts';
import { isWithin, jsonValue, names, rangeFields, rangeText, textValue, texts } from './values.ts';
import { noteTruncation, readsAll } from './truncation.ts';

const reads = readsAll('toolCalls');

const called = ({ toolCalls }: Subject): string[] => toolCalls.map(({ name }) => name);
const listed = (tools: readonly string[]): string =>
  tools.length === 0 ? 'no tool was called' : `called tools: ${quoteAll(tools)}`;

const times = z
  .strictObject({ name: textValue, ...rangeFields })
  .refine(({ min = 1, max = min }) => min <= max, 'must not have a `min` above its `max`');

export const toolCalled = assertion({
  passes:
    'all of the tools were called; with `{ name, min, max }`: the number of calls of the tool is within the bounds, at least one by default',
  score: null,
  example: { value: ['search', 'book_flight'] },
  fields: {
    value: z
      .union([names, times], 'must be a name, a list of names, or `{ name, min, max }`')
      .describe('name, list of names, or `{ name, min, max }`'),
  },
  reads,
  check: (subject, { value }) => {
    const calls = called(subject);
    if (Array.isArray(value)) {
      const missing = value.filter((name) => !calls.includes(name));
      const reason =
        missing.length === 0 ? 'all were called' : `not called: ${quoteAll(missing)}; ${listed(calls)}`;
      return noteTruncation(subject, yesOrNo(missing.length === 0, reason));
    }
    const { name, min = 1, max } = value;
    const count = calls.filter((one) => one === name).length;
    const reason = `${quote(name)} was called ${count} times; expected: ${rangeText({ min, max })}`;
    return noteTruncation(subject, yesOrNo(isWithin(count, { min, max }), reason));
  },
});

export const toolNotCalled = assertion({
  passes: 'none of the tools was called',
  score: null,
  example: { value: 'delete_account' },
  fields: { value: names },
  reads,
  check: (subject, { value }) => {
    const calls = called(subject);
    const found = value.filter((name) => calls.includes(name));
    const reason = found.length === 0 ? listed(calls) : `called: ${quoteAll(found)}`;
    return noteTruncation(subject, yesOrNo(found.length === 0, reason));
  },
});

const MODES = ['in_order', 'exact'] as const;
const order = z
  .union(
    [texts, z.strictObject({ steps: texts, mode: z.enum(MODES).default('in_order') })],
    'must be a list of names, or `{ steps, mode }`',
  )
  .transform((given) => (Array.isArray(given) ? { steps: given, mode: 'in_order' as const } : given))
  .describe('list of names, or `{ steps, mode }`: `in_order` (default) or `exact`');

export const toolOrder = assertion({
  passes:
    'the tools were called in this order, with or without other calls in between; `exact`: these calls and no others',
  score: null,
  example: { value: { steps: ['search', 'book_flight'], mode: 'exact' } },
  fields: { value: order },
  reads,
  check: (subject, { value: { steps, mode } }) => {
    const calls = called(subject);
    const isRight = mode === 'exact' ? isDeepStrictEqual(calls, steps) : isSubsequence(steps, calls);
    return noteTruncation(subject, yesOrNo(isRight, listed(calls)));
  },
});

function isSubsequence(steps: readonly string[], calls: readonly string[]): boolean {
  let done = 0;
  for (const name of calls) if (name === steps[done]) done += 1;
  return done === steps.length;
}

export const toolArguments = assertion({
  passes:
    'a call of the tool had these arguments; `partial`: objects may have further keys, lists no further items; `exact`: the arguments are equal',
  score: null,
  example: { value: { name: 'search', args: { city: 'Paris' } } },
  fields: {
    value: z
      .strictObject({
        name: textValue,
        args: jsonValue,
        mode: z.enum(['partial', 'exact']).default('partial'),
      })
      .describe('`{ name, args, mode }`: `partial` (default) or `exact`'),
  },
  reads,
  check: (subject, { value: { name, args, mode } }) => {
    const calls = subject.toolCalls.filter((call) => call.name === name);
    if (calls.length === 0) return noteTruncation(subject, yesOrNo(false, `${quote(name)} was not called`));
    const matches = mode === 'exact' ? isDeepStrictEqual : hasPart;
    const wanted = composed(args);
    const isThere = calls.some((call) => matches(composed(argumentsOf(call)), wanted));
    const shown = calls.map((call) => JSON.stringify(argumentsOf(call)));
    return noteTruncation(subject, yesOrNo(isThere, `it was called with ${quoteAll(shown)}`));
  },
});

/** Many instrumentations send arguments as JSON text; a call without arguments has an empty one. */
const argumentsOf = ({ arguments: given }: ToolCall): JsonValue => {
  if (typeof given !== 'string') return given;
  return given.trim() === '' ? {} : (jsonIn(given) ?? given);
};

/** Returns a value whose texts and names are composed (NFC), as the texts of outputs are compared. */
function composed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return nfc(value);
  if (Array.isArray(value)) return value.map(composed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [nfc(name), composed(member)]));
}

function hasPart(actual: JsonValue, wanted: JsonValue): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(actual) &&
      actual.length === wanted.length &&
      wanted.every((one, i) => hasPart(actual[i] as JsonValue, one))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted;
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false;
  return Object.entries(wanted).every(
    ([key, one]) => Object.hasOwn(actual, key) && hasPart(actual[key] as JsonValue, one),
  );
}
