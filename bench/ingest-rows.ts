import type { Shape } from './payloads.ts';
import type { Format } from './span-templates.ts';

/** One way of sending to one store. */
export interface Row extends Shape {
  name: string;
  /** Spans of each request. */
  batch: number;
  /** Traces in the store before. */
  stored: number;
  format: Format;
  gzip: boolean;
  transport: 'HTTP' | 'gRPC';
  connections: number;
  /** Spans sent alone, and again beside small writes, reads and evaluations. */
  spans: number;
  /** True if the same is measured against a server that stores nothing and against plain SQLite. */
  isCompared: boolean;
}

const MILLION = 1_000_000;
const TRACE_SPANS = [1, 8, 200];
/** Requests of one size have these in common. */
const BATCHES = [
  { batch: 1, connections: 64, gzip: false, spans: 25_600 },
  { batch: 512, connections: 8, gzip: true, spans: 102_400 },
  { batch: 8_192, connections: 2, gzip: true, spans: 131_072 },
] as const;
const QUICK_SHARE = 4;

/** Part of a name → what `--quick` runs. */
const QUICK = [
  /^8 spans, rich, 1 a request, empty/,
  /^1 span, rich, 1 a request, empty/,
  /^8 spans, rich, 512 a request, empty/,
  /^8 spans, rich, 8192 a request, empty/,
  /^8 spans, rich, 512 a request, gRPC/,
  /^worst case, empty/,
];

/** Returns the grid, a row in JSON, and the worst cases. */
export function ingestRows(isQuick: boolean): Row[] {
  const grid = [0, MILLION].flatMap((stored) =>
    BATCHES.flatMap((size) =>
      TRACE_SPANS.flatMap((traceSpans) =>
        [true, false].map((isRich) => gridRow(size, { traceSpans, isRich, stored })),
      ),
    ),
  );
  const rows = [...grid, jsonRow(), grpcRow(), ...[0, 100_000, MILLION].map(worstRow)];
  if (!isQuick) return rows;
  return rows
    .filter(({ name }) => QUICK.some((pattern) => pattern.test(name)))
    .map((row) => ({ ...row, spans: Math.max(row.spans / QUICK_SHARE, row.batch) }));
}

function gridRow(
  size: (typeof BATCHES)[number],
  { traceSpans, isRich, stored }: Pick<Row, 'traceSpans' | 'isRich' | 'stored'>,
): Row {
  const of = traceSpans === 1 ? '1 span' : `${traceSpans} spans`;
  return {
    ...size,
    name: `${of}, ${isRich ? 'rich' : 'plain'}, ${size.batch} a request, ${storeName(stored)}`,
    traceSpans,
    isRich,
    stored,
    sessionTraces: 4,
    order: size.batch === 1 ? 'spread' : 'together',
    format: 'protobuf',
    transport: 'HTTP',
    isCompared: size.batch === 512 && stored === 0,
  };
}

const jsonRow = (): Row => ({
  ...gridRow(BATCHES[1], { traceSpans: 8, isRich: true, stored: 0 }),
  name: '8 spans, rich, 512 a request, JSON, empty',
  format: 'json',
});

/** The same spans over gRPC, to compare the CPU time of a span. */
const grpcRow = (): Row => ({
  ...gridRow(BATCHES[1], { traceSpans: 8, isRich: true, stored: 0 }),
  name: '8 spans, rich, 512 a request, gRPC, empty',
  transport: 'gRPC',
  isCompared: false,
});

/** One request at a time with 8 192 spans, each a trace and a session of its own. */
const worstRow = (stored: number): Row => ({
  ...gridRow(BATCHES[2], { traceSpans: 1, isRich: true, stored }),
  name: `worst case, ${storeName(stored)}`,
  sessionTraces: 1,
  connections: 1,
  spans: 4 * 8_192,
});

function storeName(stored: number): string {
  if (stored === 0) return 'empty';
  return stored < MILLION ? `${stored / 1_000}k` : `${stored / MILLION}M`;
}
