import { ByteBuffer } from '../traces/byte-buffer.ts';
import { buildBatch, type BlockGroup, type SpanBatch, type TraceGroup } from '../traces/batch.ts';
import { currentSpans } from '../traces/current-spans.ts';
import type { rewriteCommands } from '../traces/operations.ts';
import { openOwnRules } from '../traces/own-rules/open.ts';
import type { PriceList } from '../traces/prices/price-list.ts';
import type { MoveSpans, RewriteInput, RewritePage } from '../traces/rewrite.ts';
import { BLOCKS_PER_TRACE, type TraceKey } from '../traces/trace-keys.ts';
import { scanTraces } from './otlp/scan.ts';

/** Most bytes that one command moves or drops; a single span block may be larger. */
const STEP_BYTES = 2 * 1024 * 1024;
const STEP_BLOCKS = 4;
const STEP_DROPPED_BLOCKS = 500;
/** Most tests that one command links to the trace. */
const STEP_TESTS = 2_000;
/** Number of bytes that a small loaded or dropped span block is counted as. */
const MIN_BLOCK_BYTES = 4_096;

type Commands = typeof rewriteCommands;

/** The next command that a rewrite needs; its result is passed to `next`. */
export type RewriteCall = {
  [K in keyof Commands]: { name: K; args: Parameters<Commands[K]>[1] };
}[keyof Commands];

/** Result of a rewrite. `gone`: the trace does not exist or is too large. `again`: spans arrived in the meantime. */
export type RewriteOutcome = 'done' | 'gone' | 'again';

type Steps<Result> = Generator<RewriteCall, Result, unknown>;

/** Rewrites a trace with several bounded commands, which the caller runs one after another. */
export function* rewriteTrace(tkey: number, prices: PriceList, now: number): Steps<RewriteOutcome> {
  const input = yield* load(tkey);
  if (input === null) return 'gone';
  if (input === 'changed') {
    yield { name: 'postponeShortly', args: { tkey, now } };
    return 'again';
  }
  const key = { application: input.application, tkey };
  const sizes = new Map(
    input.blocks.map(({ seq, skeleton, payload }) => [seq, skeleton.length + payload.length]),
  );
  const current = new Set(input.spanBlocks);
  const dead = [...sizes.keys()].filter((seq) => !current.has(seq));
  const receivedAt = BigInt(input.receivedAt) * 1_000_000n;
  const { mappings: own, prices: applied } = openOwnRules(prices, input.application, input.ownRules);
  const batch = buildBatch(scanTraces(currentSpans(input), receivedAt, applied, { own }).spans);
  const { blocks, rollup } = batch.traces[0] as TraceGroup;
  // Drops the blocks of an interrupted rewrite first; otherwise a trace that keeps receiving spans would grow with
  // each attempt.
  yield* drop(key, dead, sizes);
  let { version } = input;
  if (version + blocks.length <= BLOCKS_PER_TRACE) {
    for (const part of partsOf(batch, blocks)) {
      const isMoved = yield { name: 'moveSpans', args: { ...key, version, now, ...part } };
      if (isMoved !== true) return 'again';
      version += part.blocks.length;
    }
    yield* drop(
      key,
      [...sizes.keys()].filter((seq) => current.has(seq)),
      sizes,
    );
  }
  const { tests } = rollup;
  for (let from = 0; from < tests.length; from += STEP_TESTS) {
    const args = { ...key, version, now, tests: tests.slice(from, from + STEP_TESTS) };
    if ((yield { name: 'linkTests', args }) !== true) return 'again';
  }
  const row = { ...rollup, tests: [] };
  const isDone = yield { name: 'finishRewrite', args: { ...key, version, rollup: row, now } };
  return isDone === true ? 'done' : 'again';
}

/** Loads a trace page by page; returns `changed` when spans arrived between two pages. */
function* load(tkey: number): Steps<RewriteInput | 'changed' | null> {
  const pages: RewritePage[] = [];
  let from: RewritePage['next'] | undefined;
  do {
    const args = from ? { tkey, from } : { tkey };
    const page = (yield { name: 'loadForRewrite', args }) as RewritePage | null;
    if (page === null) return null;
    if (pages[0] && page.version !== pages[0].version) return 'changed';
    pages.push(page);
    from = page.next;
  } while (from);
  const [first] = pages as [RewritePage];
  const resources = new Map(
    pages.flatMap((page) =>
      page.resources.map((one) => [Buffer.from(one.hash).toString('hex'), one] as const),
    ),
  );
  return {
    ...first,
    blocks: pages.flatMap(({ blocks }) => blocks),
    spanIds: Buffer.concat(pages.map(({ spanIds }) => spanIds)),
    spanBlocks: pages.flatMap(({ spanBlocks }) => spanBlocks),
    resources: [...resources.values()],
  };
}

function* drop(key: TraceKey, seqs: readonly number[], sizes: ReadonlyMap<number, number>): Steps<void> {
  const sizeOf = (seq: number): number => Math.max(sizes.get(seq) ?? 0, MIN_BLOCK_BYTES);
  for (const step of grouped(seqs, STEP_DROPPED_BLOCKS, sizeOf))
    yield { name: 'dropBlocks', args: { ...key, seqs: step } };
}

/** Yields new blocks in groups, each with exactly the bytes and resources that it needs. */
function* partsOf(
  batch: SpanBatch,
  blocks: readonly BlockGroup[],
): Generator<Pick<MoveSpans, 'batch' | 'blocks'>> {
  const sizeOf = ({ skeleton, payload }: BlockGroup): number =>
    skeleton[1] - skeleton[0] + payload[1] - payload[0];
  for (const group of grouped(blocks, STEP_BLOCKS, sizeOf)) {
    const byteBuffer = new ByteBuffer();
    const copy = ([start, end]: readonly [number, number]) =>
      byteBuffer.add(batch.byteBuffer.subarray(start, end));
    const used = [...new Set(group.flatMap(({ resources }) => resources))];
    const resources = used.map((index) => {
      const { hash, bytes } = batch.resources[index] as SpanBatch['resources'][number];
      return { hash: copy(hash), bytes: copy(bytes) };
    });
    const moved = group.map(({ count, spanIds, skeleton, payload, resources: named }) => ({
      count,
      spanIds: copy(spanIds),
      skeleton: copy(skeleton),
      payload: copy(payload),
      resources: named.map((index) => used.indexOf(index)),
    }));
    yield { batch: { byteBuffer: byteBuffer.build(), resources }, blocks: moved };
  }
}

/** Splits a list so that no group has more than `most` items or STEP_BYTES; a single item may be larger. */
function grouped<T>(items: readonly T[], most: number, sizeOf: (item: T) => number): T[][] {
  const groups: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const last = groups.at(-1);
    if (last && last.length < most && bytes + size <= STEP_BYTES) {
      last.push(item);
      bytes += size;
    } else {
      groups.push([item]);
      bytes = size;
    }
  }
  return groups;
}
