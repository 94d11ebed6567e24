/** Traces of a research agent, of any size, as an OpenTelemetry SDK would send them. Always the same ones for a seed. */
import { seededBytes, seededRandom } from './seeded.ts';

type Value = string | number;

interface SpanOptions {
  name: string;
  parent?: string | undefined;
  /** Milliseconds from the start of the trace. */
  start: number;
  duration: number;
  attributes?: Readonly<Record<string, Value>>;
  error?: string | undefined;
  /** Id of the span, if it must be known. */
  id?: string;
}

const MODELS = ['gpt-5.4-mini', 'gpt-5.4', 'claude-opus-5', 'qwen3-32b'];
const TOOLS = [
  'find_parcel',
  'lookup_customer',
  'geo_code',
  'refund',
  'grep',
  'send_email',
  'get_policy',
  'run_tests',
];
/** Spans of one request: below every limit of a body. */
const REQUEST_SPANS = 4_000;

/** Collects the spans of one trace. */
export class TraceBuilder {
  readonly otelTraceId: string;
  readonly random: () => number;
  private readonly spans: object[] = [];
  private readonly at: number;

  constructor(seed: number, at: number) {
    this.random = seededRandom(seed);
    this.otelTraceId = seededBytes(this.random, 16).toString('hex');
    this.at = at;
  }

  get size(): number {
    return this.spans.length;
  }

  newId(): string {
    return seededBytes(this.random, 8).toString('hex');
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  add({ name, parent, start, duration, attributes = {}, error, id = this.newId() }: SpanOptions): string {
    this.spans.push({
      traceId: this.otelTraceId,
      spanId: id,
      ...(parent !== undefined && { parentSpanId: parent }),
      name,
      kind: 1,
      startTimeUnixNano: nanoseconds(this.at + start),
      endTimeUnixNano: nanoseconds(this.at + start + duration),
      attributes: Object.entries(attributes).map(([key, value]) => ({
        key,
        value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
      })),
      status: error === undefined ? {} : { code: 2, message: error },
    });
    return id;
  }

  /** Returns the bodies of OTLP requests that send the trace. */
  requests(service = 'research-agent'): object[] {
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] };
    const bodies: object[] = [];
    for (let from = 0; from < this.spans.length; from += REQUEST_SPANS) {
      const spans = this.spans.slice(from, from + REQUEST_SPANS);
      bodies.push({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'agent' }, spans }] }] });
    }
    return bodies;
  }
}

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

interface AgentTraceOptions {
  /** Spans at least. */
  spans: number;
  seed?: number;
  /** Unix milliseconds of its start. */
  at: number;
  /** Spans whose parent is never sent. */
  orphans?: number;
}

/** An agent that works in turns: each calls a model and several tools, whose requests pass through middleware. */
export function agentTrace({ spans, seed = 1_001, at, orphans = 40 }: AgentTraceOptions): TraceBuilder {
  const trace = new TraceBuilder(seed, at);
  const root = trace.newId();
  let time = 40;
  let turn = 0;
  while (trace.size < spans - 1 - orphans) {
    turn += 1;
    time = addTurn(trace, root, turn, time) + 15;
  }
  const lost = trace.newId();
  for (let index = 0; index < orphans; index++)
    trace.add({
      name: 'write audit log',
      parent: lost,
      start: (time * index) / Math.max(orphans, 1),
      duration: 20,
    });
  trace.add({
    name: 'research agent: quarterly parcel audit',
    id: root,
    start: 0,
    duration: time + 30,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'research agent',
      'gen_ai.input.messages': messages(['user', 'Audit the parcels of the last quarter.']),
      'gen_ai.output.messages': messages([
        'assistant',
        'I audited **8 984 parcels**; 298 of them have open questions.',
      ]),
      'session.id': 'audit-7',
    },
  });
  return trace;
}

/** Adds one turn that begins at `start`. Returns when it ends. */
function addTurn(trace: TraceBuilder, root: string, turn: number, start: number): number {
  const id = trace.newId();
  const model = trace.pick(MODELS);
  const thinking = 150 + trace.random() ** 3 * 1_400;
  let time = start + 5;
  trace.add({
    name: `chat ${model}`,
    parent: id,
    start: time,
    duration: thinking,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': model.startsWith('gpt') ? 'openai' : 'anthropic',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': 600 + Math.floor(trace.random() * 6_000),
      'gen_ai.usage.output_tokens': 40 + Math.floor(trace.random() * 700),
      'gen_ai.input.messages': messages(['user', `Turn ${turn}: continue with the audit.`]),
      'gen_ai.output.messages': messages(['assistant', `I will call ${trace.pick(TOOLS)}.`]),
    },
  });
  time += thinking;
  const calls = 1 + Math.floor(trace.random() * 12);
  for (let call = 0; call < calls; call++) time = addToolCall(trace, id, time + 2);
  trace.add({
    name: `turn ${turn}`,
    id,
    parent: root,
    start,
    duration: time - start + 5,
    attributes: { 'openinference.span.kind': 'CHAIN' },
  });
  return time + 5;
}

function addToolCall(trace: TraceBuilder, parent: string, start: number): number {
  const tool = trace.pick(TOOLS);
  const duration = 60 + trace.random() * 440;
  const error = trace.random() < 0.01 ? 'upstream answered 503' : undefined;
  const id = trace.add({
    name: `execute_tool ${tool}`,
    parent,
    start,
    duration,
    error,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.arguments': JSON.stringify({ parcelId: 4_711, carrier: 'dhl' }),
      'gen_ai.tool.call.result': error ?? JSON.stringify({ status: 'ok', rows: 3 }),
    },
  });
  let above = trace.add({
    name: trace.random() < 0.5 ? 'HTTP GET' : 'HTTP POST',
    parent: id,
    start: start + 3,
    duration: duration * 0.8,
    error,
    attributes: { 'http.response.status_code': error === undefined ? 200 : 503, 'app.region': 'eu-1' },
  });
  const layers = Math.floor(trace.random() ** 2 * 7);
  for (let layer = 0; layer < layers; layer++)
    above = trace.add({
      name: `middleware ${layer}`,
      parent: above,
      start: start + 4 + layer,
      duration: duration * 0.8 * 0.88 ** (layer + 1),
    });
  return start + duration;
}

/** Returns messages as the GenAI conventions send them. */
export const messages = (...list: readonly (readonly [role: string, text: string])[]): string =>
  JSON.stringify(list.map(([role, content]) => ({ role, parts: [{ type: 'text', content }] })));
