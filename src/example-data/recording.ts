import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readAsset, readAssetBytes } from '../runtime/assets.ts';

/** Records of the example data: bodies as the API accepts them. Numbers are places in the lists of topics and tasks. */
export interface Records {
  /** Moment of the recording that becomes the time of loading. */
  recordedUntil: string;
  /** Version of the app in each run of all tasks. */
  runs: string[];
  definitions: object[];
  topics: object[];
  tasks: { topic: number; examples: object[] }[];
  experiment: { tasks: number[] };
  variants: object[];
  queue: { title: string; topicId: null; assigneeId: null };
  /** Number of traces that are drawn into the queue. */
  drawn: number;
  /** Annotations of the first items of the queue: null is a passing verdict. */
  critiques: (string | null)[];
  /** Problem that the traces show which a definition fails. */
  issue: { definition: number; topic: number };
}

interface Attribute {
  key: string;
  value: { stringValue?: string };
}
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
}

/** One recorded trace: an OTLP request in JSON whose first span is the root. */
export interface RecordedTrace {
  resourceSpans: [{ scopeSpans: [{ spans: [Span, ...Span[]] }] }];
}

/** Id, times and test with which a recorded trace is stored. */
interface Place {
  /** 32 hex digits. */
  traceId: string;
  /** Milliseconds by which its times are moved. */
  shiftMs: number;
  /** Test that the trace belongs to, and the span of its delivery. */
  delivery?: { testId: string; spanId: string };
}

const FOLDER = 'example-data';
const NS_PER_MS = 1_000_000n;
const decompress = promisify(gunzip);

export const readRecords = (): Records => JSON.parse(readAsset(`${FOLDER}/records.json`)) as Records;

/** Returns the lines of a recorded file, each a trace in JSON: live traffic, or responses to tests. */
export async function readLines(name: 'traffic' | 'responses'): Promise<string[]> {
  const bytes = await decompress(await readAssetBytes(`${FOLDER}/${name}.jsonl.gz`));
  return bytes.toString('utf8').trimEnd().split('\n');
}

export const parseTrace = (line: string): RecordedTrace => JSON.parse(line) as RecordedTrace;

export const rootOf = ({ resourceSpans: [{ scopeSpans }] }: RecordedTrace): Span => scopeSpans[0].spans[0];

export const attributeText = (
  { attributes = [] }: { attributes?: Attribute[] },
  key: string,
): string | undefined => attributes.find((attribute) => attribute.key === key)?.value.stringValue;

/** Returns Unix milliseconds of an OTLP time. */
export const millisecondsOf = (time: string): number => Number(BigInt(time) / NS_PER_MS);

/** Returns a recorded trace with the id, times and test of a place. */
export function place(recorded: RecordedTrace, { traceId, shiftMs, delivery }: Place): RecordedTrace {
  const shift = BigInt(Math.round(shiftMs)) * NS_PER_MS;
  const moved = (time: string): string => String(BigInt(time) + shift);
  const [{ scopeSpans, ...resource }] = recorded.resourceSpans;
  const [{ spans, ...scope }] = scopeSpans;
  const [root, ...others] = spans;
  const moveSpan = (span: Span): Span => ({
    ...span,
    traceId,
    startTimeUnixNano: moved(span.startTimeUnixNano),
    endTimeUnixNano: moved(span.endTimeUnixNano),
  });
  const placedRoot = moveSpan(delivery ? underDelivery(root, delivery) : root);
  const placed: [Span, ...Span[]] = [placedRoot, ...others.map(moveSpan)];
  return { resourceSpans: [{ ...resource, scopeSpans: [{ ...scope, spans: placed }] }] };
}

/** Returns an OTLP request in JSON with these traces. */
export const requestOf = (traces: readonly RecordedTrace[]): Buffer =>
  Buffer.from(JSON.stringify({ resourceSpans: traces.flatMap(({ resourceSpans }) => resourceSpans) }));

const underDelivery = (span: Span, { testId, spanId }: NonNullable<Place['delivery']>): Span => ({
  ...span,
  parentSpanId: spanId,
  attributes: [...span.attributes, { key: 'service.test.id', value: { stringValue: testId } }],
});
