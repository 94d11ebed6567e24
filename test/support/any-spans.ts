/** Spans that carry anything under any key the rules name, as wire bytes. */
import fc from 'fast-check';
import { FIELDS } from '../../src/traces/conventions/rule.ts';
import { rulesOfField } from '../../src/traces/conventions/rule-set.ts';
import { bytesField, doubleField, fixed64Field, textField, varintField } from './otlp-wire.ts';
import { BASE_NS, spanHex, traceBytes } from './spans.ts';

const RULE_KEYS = [...new Set(FIELDS.flatMap((field) => rulesOfField(field).map(({ key }) => key)))];
const EVENT = 'event ';
const EVENT_NAMES = RULE_KEYS.filter((key) => key.startsWith(EVENT)).map((key) => key.slice(EVENT.length));
const EXACT_KEYS = RULE_KEYS.filter((key) => !key.startsWith(EVENT) && !/\.[*#]$/.test(key));

/** The starts of many keys, with their dot. */
export const OPEN_PREFIXES = [
  ...new Set(RULE_KEYS.filter((key) => /\.[*#]$/.test(key)).map((key) => key.slice(0, -1))),
];

/** Ends of keys that instrumentations write after an index. */
export const LEAVES = [
  'message.role',
  'message.content',
  'message.contents.0.message_content.type',
  'message.contents.0.message_content.text',
  'message.tool_calls.0.tool_call.function.name',
  'message.tool_calls.0.tool_call.function.arguments',
  'role',
  'content',
  'finish_reason',
  'tool_calls.0.name',
  'tool_calls.0.arguments',
  'function_call.name',
  'document.id',
  'document.content',
  'document.score',
  'document.metadata',
  'embedding.text',
  'embedding.vector',
  'tool.json_schema',
  'name',
  'description',
  'parameters',
  'prompt.text',
  'completion.text',
  'annotation.name',
  'annotation.score',
  'evaluation.name',
];

const index = fc.constantFrom('0', '1', '2', '7', '9999', '10000', '-1', '01', '1e3', ' 1', '__proto__');
const rest = fc.oneof(
  fc.constantFrom(...LEAVES, 'temperature', 'max_tokens', 'maxTokens', 'sessionId', 'text', 'constructor'),
  fc.string({ maxLength: 6 }),
);
export const anyKey: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...EXACT_KEYS) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...OPEN_PREFIXES), index, rest)
      .map(([prefix, at, leaf]) => `${prefix}${at}.${leaf}`),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...OPEN_PREFIXES), rest).map(([prefix, leaf]) => prefix + leaf),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.string({ maxLength: 9 }),
      fc.constantFrom('', '__proto__', 'x'.repeat(300), `metadata.${'x'.repeat(300)}`),
    ),
  },
);

/** Deeper than the stack is: text may hold it, attributes may not. */
const DEEP = '{"a":['.repeat(20_000) + ']}'.repeat(20_000);
/** Words that rules and readers recognise. */
const WORDS = `user assistant tool LLM TOOL AGENT chat generation embedding execute_tool retriever ai.toolCall
  application/json text/plain openai openai.chat gpt-5-mini text-embedding-3-small ERROR trace llm log group request
  __REDACTED__ true null 12 -3 1e400 0.5 a,b,,a 00000000-0000-4000-8000-000000000001`.split(/\s+/);
const JSON_TEXTS = [
  '{"role":"user","content":"hi"}',
  '[{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]',
  '{"args":["x"],"kwargs":{}}',
  '{"input":60,"output":25,"cache_read_input_tokens":1e99,"total":-1}',
  '{"input_tokens":9e15,"input_token_details":{"cache_read":3}}',
  '{"total":1e300}',
  '[{"role":"user","content":[{"type":"ima',
  '["a","b"]',
  '"quoted"',
  '{"__proto__":{"a":1}}',
  DEEP,
  `[{"role":"user","content":${DEEP}}]`,
];

const utf8 = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.constantFrom(...JSON_TEXTS) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\0', 'x'.repeat(100_000), '😀'.repeat(300)) },
);
const notUtf8 = fc.constantFrom([0xff], [0xc3], [0xed, 0xa0, 0x80], [0x61, 0xf0, 0x9f]);
const int64 = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)),
  fc.nat({ max: 100_000 }).map(BigInt),
);
const double = fc.oneof(
  fc.constantFrom(NaN, Infinity, -Infinity, 5e-324, 1e308, 0.1, 7.9),
  fc.double({ min: 0, max: 1000, noNaN: true }),
);

const shallowValue = fc.letrec<{ value: Buffer; pair: Buffer }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: utf8.map((text) => textField(1, text)) },
    { weight: 1, arbitrary: notUtf8.map((bytes) => bytesField(1, Buffer.from(bytes))) },
    { weight: 1, arbitrary: fc.boolean().map((flag) => varintField(2, flag ? 1n : 0n)) },
    { weight: 3, arbitrary: int64.map((value) => varintField(3, value)) },
    { weight: 2, arbitrary: double.map((value) => doubleField(4, value)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 9 }).map((bytes) => bytesField(7, bytes)) },
    { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
    {
      weight: 2,
      arbitrary: fc.array(tie('value'), { maxLength: 4 }).map((values) => listOf(values)),
    },
    {
      weight: 2,
      arbitrary: fc
        .array(tie('pair'), { maxLength: 4 })
        .map((pairs) => bytesField(6, Buffer.concat(pairs.map((pair) => bytesField(1, pair))))),
    },
  ),
  pair: fc
    .tuple(
      fc.constantFrom(...WORDS.slice(0, 3), 'role', 'content', 'type', 'text', '__proto__'),
      tie('value'),
    )
    .map(([key, value]) => Buffer.concat([textField(1, key), bytesField(2, value)])),
})).value;

const listOf = (values: readonly Buffer[]): Buffer =>
  bytesField(5, Buffer.concat(values.map((value) => bytesField(1, value))));

/** A text within so many lists. */
function nested(levels: number): Buffer {
  let value = textField(1, 'deep');
  for (let i = 0; i < levels; i++) value = listOf([value]);
  return value;
}

/** An AnyValue; the deepest is as deep as attributes may be. */
const anyValue: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 19, arbitrary: shallowValue },
  { weight: 1, arbitrary: fc.constant(nested(127)) },
);

export interface AnySpan {
  /** KeyValue messages. */
  attributes: Buffer[];
  /** Span.Event messages. */
  events: Buffer[];
}

export const keyValue = (key: string, value: Buffer): Buffer =>
  Buffer.concat([textField(1, key), bytesField(2, value)]);

const event = fc
  .tuple(
    fc.oneof(fc.constantFrom(...EVENT_NAMES, ''), fc.string({ maxLength: 9 })),
    fc.array(fc.tuple(fc.oneof(fc.constantFrom(...LEAVES, 'gen_ai.event.content'), anyKey), anyValue), {
      maxLength: 4,
    }),
  )
  .map(([name, attributes]) =>
    Buffer.concat([
      fixed64Field(1, BASE_NS),
      textField(2, name),
      ...attributes.map(([key, value]) => bytesField(3, keyValue(key, value))),
    ]),
  );

const spanWith = (attributes: fc.Arbitrary<[key: string, value: Buffer][]>): fc.Arbitrary<AnySpan> =>
  fc.record({
    attributes: attributes.map((entries) => entries.map(([key, value]) => keyValue(key, value))),
    events: fc.array(event, { maxLength: 3 }),
  });

/** Keys may come twice. */
export const anySpan = spanWith(fc.array(fc.tuple(anyKey, anyValue), { maxLength: 40 }));

export const spanOfDistinctKeys = spanWith(
  fc.uniqueArray(fc.tuple(anyKey, anyValue), { maxLength: 40, selector: ([key]) => key }),
);

/** A Span message. */
export function spanBytes({ attributes, events }: AnySpan, trace = 1, id = 1): Buffer {
  return Buffer.concat([
    bytesField(1, traceBytes(trace)),
    bytesField(2, Buffer.from(spanHex(id), 'hex')),
    ...(id === 1 ? [] : [bytesField(4, Buffer.from(spanHex(1), 'hex'))]),
    textField(5, 'span'),
    fixed64Field(7, BASE_NS),
    fixed64Field(8, BASE_NS + BigInt(id)),
    ...attributes.map((attribute) => bytesField(9, attribute)),
    ...events.map((sent) => bytesField(11, sent)),
  ]);
}

/** An ExportTraceServiceRequest. */
export const requestOf = (spans: readonly Buffer[]): Buffer =>
  bytesField(1, bytesField(2, Buffer.concat(spans.map((span) => bytesField(2, span)))));
