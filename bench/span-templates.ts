import { context, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { seededRandom } from './seeded.ts';

export type Format = 'protobuf' | 'json';

const WORDS =
  'the customer asked for a refund of the order that arrived late and wants to know when the money will be back on the card'.split(
    ' ',
  );
/** Enough different spans that the window of gzip (32 KiB) holds no text twice. */
const VARIANTS = 64;
const TEMPLATE_START_MS = 1_700_000_000_000;
const ROOT_MS = 2_000;
const CHILD_MS = 300;
/** Placeholders of the length of the values that replace them. */
const SESSION = 'session-0123456789';
const USER = 'user-01234567';
const TEST = '01234567-89ab-4cde-8f01-23456789abcd';

/** Values of one span of a body. */
export interface SpanValues {
  traceId: Buffer;
  spanId: Buffer;
  parentId: Buffer;
  startNs: bigint;
  /** Numbers of the session and the user; both are used by root spans of rich templates only. */
  session: number;
  user: number;
  /** UUID; used by templates with a test only. */
  testId: string;
}

type Field = 'traceId' | 'spanId' | 'parentId' | 'session' | 'user' | 'testId';

/** One encoded span that the SDK made, and where its ids, times and names are. */
export class SpanTemplate {
  private readonly bytes: Buffer;
  private readonly format: Format;
  private readonly places: { at: number; field: Field }[] = [];
  private readonly times: { at: number; offset: bigint }[] = [];

  constructor(span: ReadableSpan, format: Format) {
    this.format = format;
    this.bytes = format === 'json' ? jsonSpan(span) : protobufSpan(span);
    const { traceId, spanId } = span.spanContext();
    this.find(this.idNeedle(traceId), 'traceId');
    this.find(this.idNeedle(spanId), 'spanId');
    const parent = span.parentSpanContext?.spanId;
    if (parent) this.find(this.idNeedle(parent), 'parentId');
    this.find(Buffer.from(SESSION), 'session');
    this.find(Buffer.from(USER), 'user');
    this.find(Buffer.from(TEST), 'testId');
    const moments = [span.startTime, span.endTime, ...span.events.map(({ time }) => time)];
    const start = nanoseconds(span.startTime);
    for (const ns of new Set(moments.map(nanoseconds))) this.findTime(ns, ns - start);
  }

  /** Returns the bytes of the span with these values. */
  encode(values: SpanValues): Buffer {
    const bytes = Buffer.from(this.bytes);
    for (const { at, field } of this.places) this.write(bytes, at, field, values);
    for (const { at, offset } of this.times) {
      const ns = values.startNs + offset;
      if (this.format === 'json') bytes.write(String(ns), at, 'latin1');
      else bytes.writeBigUInt64LE(ns, at);
    }
    return bytes;
  }

  private write(bytes: Buffer, at: number, field: Field, values: SpanValues): void {
    if (field === 'session') bytes.write(digits(values.session, 10), at + 8, 'latin1');
    else if (field === 'user') bytes.write(digits(values.user, 8), at + 5, 'latin1');
    else if (field === 'testId') bytes.write(values.testId, at, 'latin1');
    else if (this.format === 'json') bytes.write(values[field].toString('hex'), at, 'latin1');
    else values[field].copy(bytes, at);
  }

  private idNeedle(id: string): Buffer {
    return this.format === 'json' ? Buffer.from(id) : Buffer.from(id, 'hex');
  }

  private find(needle: Buffer, field: Field): void {
    for (const at of occurrences(this.bytes, needle)) this.places.push({ at, field });
  }

  private findTime(ns: bigint, offset: bigint): void {
    const wire = Buffer.alloc(8);
    wire.writeBigUInt64LE(ns);
    const needle = this.format === 'json' ? Buffer.from(String(ns)) : wire;
    for (const at of occurrences(this.bytes, needle)) this.times.push({ at, offset });
  }
}

export interface SpanTemplates {
  roots: SpanTemplate[];
  /** Roots that carry the id of a test; the same as `roots` of plain templates. */
  testRoots: SpanTemplate[];
  children: SpanTemplate[];
  /** Encoded resource and scope. */
  resource: Buffer;
  scope: Buffer;
}

/** Makes spans like those of an instrumented chat application, about 1.4 KB each. `isRich`: with sessions, users, tests. */
export function makeTemplates(format: Format, isRich: boolean, seed: number): SpanTemplates {
  const random = seededRandom(seed);
  const text = (words: number): string =>
    Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'support-chat',
      'service.version': '1.4.2',
      'deployment.environment.name': 'production',
      'process.pid': 4711,
    }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('bench', '1.0.0');
  const roots: SpanTemplate[] = [];
  const testRoots: SpanTemplate[] = [];
  const children: SpanTemplate[] = [];
  for (let variant = 0; variant < VARIANTS; variant++) {
    const [child, root] = makePair(
      tracer,
      exporter,
      variant,
      {
        'input.value': text(60),
        'output.value': text(80),
        ...(isRich && { 'session.id': SESSION, 'user.id': USER }),
        ...(isRich && variant % 4 === 0 && { 'service.test.id': TEST }),
      },
      childAttributes(variant, text),
    );
    (isRich && variant % 4 === 0 ? testRoots : roots).push(new SpanTemplate(root, format));
    children.push(new SpanTemplate(child, format));
  }
  const [sample] = exporter.getFinishedSpans() as [ReadableSpan];
  return {
    roots,
    testRoots: isRich ? testRoots : roots,
    children,
    resource: resourceOf(sample, format),
    scope: scopeOf(sample, format),
  };
}

function makePair(
  tracer: Tracer,
  exporter: InMemorySpanExporter,
  variant: number,
  rootAttributes: Record<string, string>,
  attributes: Record<string, string | number | string[]>,
): [child: ReadableSpan, root: ReadableSpan] {
  const root = tracer.startSpan('chat turn', {
    kind: SpanKind.SERVER,
    startTime: TEMPLATE_START_MS,
    attributes: { 'openinference.span.kind': 'AGENT', ...rootAttributes },
  });
  const startTime = TEMPLATE_START_MS + 7;
  const child = tracer.startSpan(
    variant % 2 ? 'chat gpt-4o' : 'execute_tool search',
    { kind: SpanKind.CLIENT, startTime, attributes },
    trace.setSpan(context.active(), root),
  );
  child.addEvent('first token', { 'gen_ai.latency': 0.25 }, startTime + 50);
  if (variant % 8 === 5) child.setStatus({ code: SpanStatusCode.ERROR, message: 'upstream timed out' });
  child.end(startTime + CHILD_MS);
  root.end(TEMPLATE_START_MS + ROOT_MS);
  return exporter.getFinishedSpans().slice(-2) as [ReadableSpan, ReadableSpan];
}

function childAttributes(
  variant: number,
  text: (words: number) => string,
): Record<string, string | number | string[]> {
  const message = (role: string, words: number): string =>
    JSON.stringify([{ role, parts: [{ type: 'text', content: text(words) }] }]);
  return variant % 2
    ? {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        'gen_ai.request.temperature': 0.2,
        'gen_ai.usage.input_tokens': 812 + variant,
        'gen_ai.usage.output_tokens': 143,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.input.messages': message('user', 90),
        'gen_ai.output.messages': message('assistant', 70),
      }
    : {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'search',
        'gen_ai.tool.call.id': `call_${variant}`,
        'gen_ai.tool.call.arguments': JSON.stringify({ query: text(30) }),
        'gen_ai.tool.call.result': text(170),
      };
}

const digits = (value: number, count: number): string => String(value % 10 ** count).padStart(count, '0');

const nanoseconds = ([seconds, rest]: readonly [number, number]): bigint =>
  BigInt(seconds) * 1_000_000_000n + BigInt(rest);

function* occurrences(bytes: Buffer, needle: Buffer): Generator<number> {
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length)) yield at;
}

interface OtlpJson {
  resourceSpans: [{ resource: unknown; scopeSpans: [{ scope: unknown; spans: [unknown] }] }];
}

const json = (span: ReadableSpan): OtlpJson =>
  JSON.parse(Buffer.from(JsonTraceSerializer.serializeRequest([span]) as Uint8Array).toString()) as OtlpJson;
const jsonSpan = (span: ReadableSpan): Buffer =>
  Buffer.from(JSON.stringify(json(span).resourceSpans[0].scopeSpans[0].spans[0]));

const resourceSpans = (span: ReadableSpan): Buffer =>
  lengthDelimited(Buffer.from(ProtobufTraceSerializer.serializeRequest([span]) as Uint8Array), 1);
const protobufSpan = (span: ReadableSpan): Buffer =>
  lengthDelimited(lengthDelimited(resourceSpans(span), 2), 2);

function resourceOf(span: ReadableSpan, format: Format): Buffer {
  if (format === 'json') return Buffer.from(JSON.stringify(json(span).resourceSpans[0].resource));
  return lengthDelimited(resourceSpans(span), 1);
}

function scopeOf(span: ReadableSpan, format: Format): Buffer {
  if (format === 'json') return Buffer.from(JSON.stringify(json(span).resourceSpans[0].scopeSpans[0].scope));
  return lengthDelimited(lengthDelimited(resourceSpans(span), 2), 1);
}

/** Returns the first field with this number of a protobuf message whose fields are all length-delimited. */
function lengthDelimited(message: Buffer, number: number): Buffer {
  for (let at = 0; at < message.length; ) {
    const tag = message[at++] as number;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] as number;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (tag === ((number << 3) | 2)) return message.subarray(at, at + length);
    at += length;
  }
  throw new Error(`the message has no field ${number}`);
}
