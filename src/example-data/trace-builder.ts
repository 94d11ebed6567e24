import { randomBytes } from 'node:crypto';

type Value = string | number | readonly string[];
type Attributes = Readonly<Record<string, Value>>;

export interface SpanOptions {
  name: string;
  kind: string;
  /** Start and end, in Unix milliseconds. */
  start: number;
  end: number;
  parent?: string | undefined;
  attributes?: Attributes;
  error?: string | undefined;
}

/** One trace as an OTLP request. */
export interface OtlpTrace {
  /** 32 hex digits. */
  traceId: string;
  /** The request in JSON. */
  body: Buffer;
}

/** Collects the spans of one trace. */
export class TraceBuilder {
  private readonly traceId: string;
  private readonly spans: object[] = [];
  private readonly shared: Attributes;

  /** `shared`: attributes of the root. */
  constructor(shared: Attributes = {}, traceId = randomBytes(16).toString('hex')) {
    this.shared = shared;
    this.traceId = traceId;
  }

  add({ name, kind, start, end, parent, attributes = {}, error }: SpanOptions): string {
    const spanId = randomBytes(8).toString('hex');
    this.spans.push({
      traceId: this.traceId,
      spanId,
      ...(parent !== undefined && { parentSpanId: parent }),
      name,
      kind: 1,
      startTimeUnixNano: `${Math.round(start)}000000`,
      endTimeUnixNano: `${Math.round(end)}000000`,
      attributes: pairs({ 'openinference.span.kind': kind, ...attributes, ...(parent ? {} : this.shared) }),
      status: error === undefined ? {} : { code: 2, message: error },
    });
    return spanId;
  }

  build(service: string, environment: string): OtlpTrace {
    const attributes = pairs({ 'service.name': service, 'deployment.environment.name': environment });
    const scopeSpans = [{ scope: { name: 'example-shop' }, spans: this.spans }];
    const body = Buffer.from(JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] }));
    return { traceId: this.traceId, body };
  }
}

const pairs = (values: Attributes): object[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : typeof value === 'number'
          ? Number.isInteger(value)
            ? { intValue: String(value) }
            : { doubleValue: value }
          : { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } },
  }));
