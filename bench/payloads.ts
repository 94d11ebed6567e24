import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

export type Format = 'protobuf' | 'json';

const SPANS_PER_TRACE = 8;
const WORDS =
  'the customer asked for a refund of the order that arrived late and wants to know when the money will be back on the card'.split(
    ' ',
  );

/** Between two bodies of a template: they come one after the other, as in life. */
const BODY_INTERVAL_NS = 1_000_000n;

/**
 * A request body made by the real SDK and its serializer, whose ids and times can be set anew: a template for any
 * number of bodies.
 */
export class PayloadTemplate {
  readonly spans: number;
  private readonly bytes: Buffer;
  private readonly format: Format;
  /** Where each id stands, and which one: ids are replaced by new ones of the same size. */
  private readonly places: { at: number; id: number; size: number }[] = [];
  private readonly ids: number[] = [];
  /** Where each time stands: nanoseconds, moved on from body to body. */
  private readonly times: { at: number; ns: bigint }[] = [];
  private made = 0n;

  constructor(spanCount: number, format: Format) {
    const spans = makeSpans(spanCount);
    this.spans = spans.length;
    this.format = format;
    const serializer = format === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer;
    this.bytes = Buffer.from(serializer.serializeRequest(spans) as Uint8Array);
    const known = new Map<string, number>();
    const moments = new Set<bigint>();
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext();
      for (const id of [traceId, spanId]) if (!known.has(id)) this.find(id, known);
      for (const [seconds, rest] of [span.startTime, span.endTime]) {
        const ns = BigInt(seconds) * 1_000_000_000n + BigInt(rest);
        if (!moments.has(ns)) this.findTime(ns);
        moments.add(ns);
      }
    }
  }

  /** The bytes of one body, every id new, a little later than the one before. */
  body(): Buffer {
    const bytes = Buffer.from(this.bytes);
    const fresh = this.ids.map((size) => randomBytes(size));
    for (const { at, id, size } of this.places) {
      const value = fresh[id] as Buffer;
      if (this.format === 'json') bytes.write(value.toString('hex'), at, 'latin1');
      else value.copy(bytes, at, 0, size);
    }
    const later = ++this.made * BODY_INTERVAL_NS;
    for (const { at, ns } of this.times) {
      if (this.format === 'json') bytes.write(String(ns + later), at, 'latin1');
      else bytes.writeBigUInt64LE(ns + later, at);
    }
    return bytes;
  }

  private findTime(ns: bigint): void {
    const wire = Buffer.alloc(8);
    wire.writeBigUInt64LE(ns);
    const needle = this.format === 'json' ? Buffer.from(String(ns)) : wire;
    for (let at = this.bytes.indexOf(needle); at >= 0; at = this.bytes.indexOf(needle, at + needle.length)) {
      this.times.push({ at, ns });
    }
  }

  private find(id: string, known: Map<string, number>): void {
    const index = this.ids.push(id.length / 2) - 1;
    known.set(id, index);
    const needle = this.format === 'json' ? Buffer.from(`"${id}"`) : Buffer.from(id, 'hex');
    const offset = this.format === 'json' ? 1 : 0;
    for (let at = this.bytes.indexOf(needle); at >= 0; at = this.bytes.indexOf(needle, at + needle.length)) {
      this.places.push({ at: at + offset, id: index, size: id.length / 2 });
    }
  }
}

/** Whole HTTP/1.1 requests, ready to be written to a socket. */
export function makeRequests(options: {
  count: number;
  spansEach: number;
  format: Format;
  gzip: boolean;
  path: string;
  headers: Readonly<Record<string, string>>;
}): { requests: Buffer[]; spans: number; bytes: number } {
  const template = new PayloadTemplate(options.spansEach, options.format);
  const fixed = [
    `POST ${options.path} HTTP/1.1`,
    'host: 127.0.0.1',
    `content-type: application/${options.format === 'json' ? 'json' : 'x-protobuf'}`,
    ...(options.gzip ? ['content-encoding: gzip'] : []),
    ...Object.entries(options.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  let bytes = 0;
  const requests = Array.from({ length: options.count }, () => {
    const plain = template.body();
    bytes += plain.length;
    const body = options.gzip ? gzipSync(plain, { level: 1 }) : plain;
    return Buffer.concat([
      Buffer.from([...fixed, `content-length: ${body.length}`, '', ''].join('\r\n')),
      body,
    ]);
  });
  return { requests, spans: template.spans * options.count, bytes };
}

/** Spans as an instrumented chat application makes them: about 1.4 KB each, eight to a trace. */
export function makeSpans(count: number): ReadableSpan[] {
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
  for (let made = 0; made < count; ) {
    const root = tracer.startSpan('chat turn', {
      kind: SpanKind.SERVER,
      attributes: {
        'session.id': `session-${made}`,
        'openinference.span.kind': 'AGENT',
        'input.value': text(60),
        'output.value': text(80),
      },
    });
    made += 1;
    const parent = trace.setSpan(context.active(), root);
    for (let i = 1; i < SPANS_PER_TRACE && made < count; i++, made++) {
      const span = tracer.startSpan(
        i % 2 ? 'chat gpt-4o' : 'execute_tool search',
        { kind: SpanKind.CLIENT, attributes: attributes(i) },
        parent,
      );
      span.addEvent('first token', { 'gen_ai.latency': 0.25 });
      if (i === 5) span.setStatus({ code: SpanStatusCode.ERROR, message: 'upstream timed out' });
      span.end();
    }
    root.end();
  }
  return exporter.getFinishedSpans();
}

function attributes(i: number): Record<string, string | number | string[]> {
  return i % 2
    ? {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        'gen_ai.request.temperature': 0.2,
        'gen_ai.usage.input_tokens': 812 + i,
        'gen_ai.usage.output_tokens': 143,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: text(90) }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: text(70) }] },
        ]),
      }
    : {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'search',
        'gen_ai.tool.call.id': `call_${i}`,
        'gen_ai.tool.call.arguments': JSON.stringify({ query: text(30) }),
        'gen_ai.tool.call.result': text(170),
      };
}

function text(words: number): string {
  return Array.from({ length: words }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ');
}
