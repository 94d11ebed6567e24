/** GenAI telemetry made by hand, for versions of the conventions that no package at hand sends. Sent as OTLP/JSON. */
import { randomBytes } from 'node:crypto';

const newId = (bytes) => randomBytes(bytes).toString('hex');
const nanos = (milliseconds) => String(BigInt(milliseconds) * 1_000_000n);

const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A plain value as an OTLP AnyValue; objects become key-value lists. */
function anyValue(value) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Number.isInteger(value)) return { intValue: String(value) };
  if (typeof value === 'number') return { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(value) } };
}

const keyValues = (record) => Object.entries(record).map(([key, value]) => ({ key, value: anyValue(value) }));

/** One trace; spans come one after the other, in the order they are added. */
export class Scenario {
  #traceId = newId(16);
  #now = Date.now();
  #spans = [];
  #logs = [];

  /** `events` are `[name, attributes]`. Returns the span's id. */
  span(name, { kind = 3, parent, attributes, events = [] }) {
    const spanId = newId(8);
    this.#spans.push({
      traceId: this.#traceId,
      spanId,
      ...(parent && { parentSpanId: parent }),
      name,
      kind,
      startTimeUnixNano: nanos(this.#now),
      endTimeUnixNano: nanos((this.#now += 10)),
      attributes: keyValues(attributes),
      events: events.map(([event, fields]) => ({
        name: event,
        timeUnixNano: nanos(this.#now - 5),
        attributes: keyValues(fields),
      })),
    });
    return spanId;
  }

  /** A log record of a span. Its name is the record's own unless `attributes` say it. */
  log(spanId, { eventName, body, attributes = {} }) {
    this.#logs.push({
      traceId: this.#traceId,
      spanId,
      timeUnixNano: nanos(this.#now - 5),
      ...(eventName && { eventName }),
      ...(body !== undefined && { body: anyValue(body) }),
      attributes: keyValues(attributes),
    });
  }

  async send(version) {
    const resource = { attributes: keyValues({ 'service.name': 'weather-agent' }) };
    const scope = { name: 'handmade' };
    const schemaUrl = `https://opentelemetry.io/schemas/${version}`;
    await post('/v1/traces', {
      resourceSpans: [{ resource, scopeSpans: [{ scope, spans: this.#spans, schemaUrl }] }],
    });
    if (this.#logs.length > 0) {
      await post('/v1/logs', {
        resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: this.#logs, schemaUrl }] }],
      });
    }
  }
}

async function post(path, body) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = process.env;
  const pairs = headers.split(',').map((pair) => pair.split('=').map(decodeURIComponent));
  const response = await fetch(endpoint + path, {
    method: 'POST',
    headers: { ...Object.fromEntries(pairs), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200 || isRecord(JSON.parse(text).partialSuccess))
    throw new Error(`${path} was answered ${response.status} ${text}`);
}

export const usage = (input, output) => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
});
