// Records the traces of the example data from an application, such as one that has example data and more:
//
//   touchstone export traces --output shop.otlp.jsonl
//   node scripts/bootstrap.mjs run scripts/example-data.ts shop.otlp.jsonl
//
// Traces of tests become the responses of the app, one for each input and version of its prompt; all others become live traffic.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { readRecords, type Span, attributeText } from '../src/example-data/recording.ts';

interface ResourceSpans {
  resource: { attributes?: Span['attributes'] };
  scopeSpans: { scope?: object; spans: Span[] }[];
}
interface Trace {
  spans: Span[];
  root: Span;
  resource: object;
  scope: object;
}

const FOLDER = new URL('../src/example-data/', import.meta.url);
const TEST_ID = 'service.test.id';
const NS_PER_MS = 1_000_000n;

/** Returns a trace without the spans of the service itself; null if it has no others. */
function readTrace(parts: readonly ResourceSpans[]): Trace | null {
  const ofApp = parts.filter(({ resource }) => attributeText(resource, 'service.name') !== 'touchstone');
  const spans = ofApp
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId));
  if (!root) return null;
  const { resource = {}, scopeSpans = [] } = ofApp[0] ?? {};
  return { root, resource, scope: scopeSpans[0]?.scope ?? {}, spans };
}

/** Returns the line of a trace whose times are moved, with the root first and without its test. */
function lineOf({ root, resource, scope, spans }: Trace, shift: bigint): string {
  const moved = [root, ...spans.filter((span) => span !== root)].map(({ parentSpanId, ...span }) => ({
    ...span,
    ...(span.spanId !== root.spanId && { parentSpanId }),
    startTimeUnixNano: String(BigInt(span.startTimeUnixNano) + shift),
    endTimeUnixNano: String(BigInt(span.endTimeUnixNano) + shift),
    attributes: span.attributes.filter(({ key }) => key !== TEST_ID),
  }));
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: moved }] }] });
}

const file = process.argv[2];
if (file === undefined) throw new Error('Name the file that `touchstone export traces` has written.');
const parts = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .flatMap((line) => (JSON.parse(line) as { resourceSpans?: ResourceSpans[] }).resourceSpans ?? []);
const byTrace = Map.groupBy(parts, ({ scopeSpans }) => scopeSpans[0]?.spans[0]?.traceId);
const traces = [...byTrace.values()]
  .flatMap((ofTrace) => readTrace(ofTrace) ?? [])
  .sort((a, b) => (a.root.startTimeUnixNano < b.root.startTimeUnixNano ? -1 : 1));
const end = BigInt(Date.parse(readRecords().recordedUntil) - 60_000) * NS_PER_MS;
const live = traces.filter(({ root }) => attributeText(root, TEST_ID) === undefined);
const last = live.map(({ root }) => BigInt(root.endTimeUnixNano)).reduce((a, b) => (a > b ? a : b), 0n);
const responses = new Map(
  traces
    .filter((trace) => !live.includes(trace))
    .map((trace) => {
      const key = [attributeText(trace.root, 'app.prompt.version'), attributeText(trace.root, 'input.value')];
      return [JSON.stringify(key), lineOf(trace, end - BigInt(trace.root.startTimeUnixNano))] as const;
    }),
);
const lines = { traffic: live.map((trace) => lineOf(trace, end - last)), responses: [...responses.values()] };
for (const [name, recorded] of Object.entries(lines)) {
  const bytes = gzipSync(`${recorded.join('\n')}\n`, { level: 9 });
  writeFileSync(new URL(`${name}.jsonl.gz`, FOLDER), bytes);
  console.log(`src/example-data/${name}.jsonl.gz: ${recorded.length} traces, ${bytes.length} bytes`);
}
