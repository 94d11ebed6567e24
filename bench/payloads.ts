import { gzipSync } from 'node:zlib';
import { seededBytes, seededRandom } from './seeded.ts';
import { type Format, makeTemplates, type SpanTemplate, type SpanTemplates } from './span-templates.ts';

/** Properties of the spans of a load. */
export interface Shape {
  /** Spans of each trace: a root and its children. */
  traceSpans: number;
  /** True if root spans name sessions and users, and a quarter of them tests. */
  isRich: boolean;
  /** Traces of a session. */
  sessionTraces: number;
  /** `spread`: the spans of many traces take turns, so that no request has two of one trace. */
  order: 'together' | 'spread';
}

const FIRST_START_NS = 1_780_000_000_000_000_000n;
const BETWEEN_TRACES_NS = 1_000_000n;
const BETWEEN_SPANS_NS = 5_000_000n;
/** Traces that take turns. */
const WINDOW = 256;
const USERS = 1_000;

interface OpenTrace {
  traceId: Buffer;
  rootId: Buffer;
  startNs: bigint;
  number: number;
}

/** Endless spans of one shape, always the same ones for a seed. Children come before their root, as SDKs send them. */
export class SpanSource {
  readonly shape: Shape;
  readonly format: Format;
  private readonly templates: SpanTemplates;
  private readonly random: () => number;
  private readonly spans: Generator<Buffer>;
  private traces = 0;

  constructor(shape: Shape, format: Format, seed: number) {
    this.shape = shape;
    this.format = format;
    this.templates = makeTemplates(format, shape.isRich, seed);
    this.random = seededRandom(seed);
    this.spans = this.generate();
  }

  /** Returns the body of a request with that many spans. */
  body(count: number): Buffer {
    const spans = Array.from({ length: count }, () => this.spans.next().value as Buffer);
    return this.format === 'json' ? jsonBody(this.templates, spans) : protobufBody(this.templates, spans);
  }

  /** Id of the trace that was begun last, as 32 hexadecimal digits. */
  lastTraceId = '';

  private *generate(): Generator<Buffer> {
    const { traceSpans, order } = this.shape;
    const width = order === 'spread' ? WINDOW : 1;
    for (;;) {
      const open = Array.from({ length: width }, () => this.openTrace());
      for (let index = 1; index < traceSpans; index++) for (const one of open) yield this.child(one, index);
      for (const one of open) yield this.root(one);
    }
  }

  private openTrace(): OpenTrace {
    const number = this.traces++;
    const traceId = seededBytes(this.random, 16);
    this.lastTraceId = traceId.toString('hex');
    const startNs = FIRST_START_NS + BigInt(number) * BETWEEN_TRACES_NS;
    return { traceId, rootId: seededBytes(this.random, 8), startNs, number };
  }

  private child(open: OpenTrace, index: number): Buffer {
    const template = pick(this.templates.children, open.number * this.shape.traceSpans + index);
    const spanId = seededBytes(this.random, 8);
    return this.encode(template, open, spanId, open.startNs + BigInt(index) * BETWEEN_SPANS_NS);
  }

  private root(open: OpenTrace): Buffer {
    const { roots, testRoots } = this.templates;
    const template = pick(open.number % 4 === 0 ? testRoots : roots, open.number);
    return this.encode(template, open, open.rootId, open.startNs);
  }

  private encode(template: SpanTemplate, open: OpenTrace, spanId: Buffer, startNs: bigint): Buffer {
    const digits = open.traceId.toString('hex');
    return template.encode({
      traceId: open.traceId,
      spanId,
      parentId: open.rootId,
      startNs,
      session: Math.floor(open.number / this.shape.sessionTraces),
      user: open.number % USERS,
      testId: `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`,
    });
  }
}

/** Returns one complete HTTP/1.1 request, ready to be written to a socket. */
export function requestOf(
  body: Buffer,
  { format, gzip }: { format: Format; gzip: boolean },
  headers: Readonly<Record<string, string>>,
): Buffer {
  const sent = compressed(body, gzip);
  const head = [
    'POST /v1/traces HTTP/1.1',
    'host: 127.0.0.1',
    `content-type: application/${format === 'json' ? 'json' : 'x-protobuf'}`,
    ...(gzip ? ['content-encoding: gzip'] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${sent.length}`,
  ];
  return Buffer.concat([Buffer.from([...head, '', ''].join('\r\n')), sent]);
}

/** Returns the body as it is sent. */
export const compressed = (body: Buffer, gzip: boolean): Buffer =>
  gzip ? gzipSync(body, { level: 1 }) : body;

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

function jsonBody({ resource, scope }: SpanTemplates, spans: readonly Buffer[]): Buffer {
  const separated = spans.flatMap((span, index) => (index > 0 ? [Buffer.from(','), span] : [span]));
  return Buffer.concat([
    Buffer.from('{"resourceSpans":[{"resource":'),
    resource,
    Buffer.from(',"scopeSpans":[{"scope":'),
    scope,
    Buffer.from(',"spans":['),
    ...separated,
    Buffer.from(']}]}]}'),
  ]);
}

/** Returns an ExportTraceServiceRequest of encoded spans. */
export function protobufBody({ resource, scope }: SpanTemplates, spans: readonly Buffer[]): Buffer {
  const scopeSpans = Buffer.concat([field(1, scope), ...spans.map((span) => field(2, span))]);
  return field(1, Buffer.concat([field(1, resource), field(2, scopeSpans)]));
}

/** Encodes a length-delimited field of a protobuf message. */
function field(number: number, value: Buffer): Buffer {
  const head = [(number << 3) | 2];
  let length = value.length;
  for (; length > 0x7f; length >>>= 7) head.push((length & 0x7f) | 0x80);
  head.push(length);
  return Buffer.concat([Buffer.from(head), value]);
}
