/** Measurements of one minute of a soak. Times are milliseconds. */
export interface Minute {
  minute: number;
  spansPerSecond: number;
  residentMib: number;
  threads: { name: string; heapMib: number; delayP99Ms: number }[];
  /** Largest size of the write-ahead log. */
  walMib: number;
  acknowledgeP99Ms: number;
  writeP50Ms: number;
  writeP99Ms: number;
  listP99Ms: number;
  /** Average duration of a commit. */
  commitMs: number;
  /** Longest commit since the start of the server. */
  longestCommitMs: number;
  storeMib: number;
  /** Calls beside the load that failed. */
  failed: number;
}

export interface Verdict {
  isGood: boolean;
  text: string;
}

/** Growth of memory from the middle third to the last one that is within the noise of garbage collection. */
const MAX_GROWTH = 0.1;
/** Reads can keep the log from being emptied until it has 512 MiB; then new ones wait, and it grows by little. */
const MAX_WAL_MIB = 640;
/** A small write is good below this, whatever it took before. */
const GOOD_WRITE_MS = 50;
const MAX_DRIFT = 2;

/** Judges the minutes by fixed limits: memory is level, the log is bounded, small writes are as fast as before, and no call failed. */
export function verdictsOf(minutes: readonly Minute[]): Verdict[] {
  const third = Math.max(1, Math.floor(minutes.length / 3));
  const [middle, last] = [minutes.slice(-2 * third, -third), minutes.slice(-third)];
  const average = (part: readonly Minute[], of: (one: Minute) => number): number =>
    part.reduce((sum, one) => sum + of(one), 0) / part.length;
  const pair = (of: (one: Minute) => number): [before: number, after: number] => [
    average(middle, of),
    average(last, of),
  ];
  const memory = pair(({ residentMib }) => residentMib);
  const heaps = pair(({ threads }) => threads.reduce((sum, { heapMib }) => sum + heapMib, 0));
  const writes = pair(({ writeP99Ms }) => writeP99Ms);
  const wal = Math.max(...minutes.map(({ walMib }) => walMib));
  const failed = minutes.reduce((sum, one) => sum + one.failed, 0);
  const level = (name: string, [before, after]: readonly [number, number]): Verdict => ({
    isGood: after <= before * (1 + MAX_GROWTH),
    text: `${name}: ${round(before)} MiB in the middle third, ${round(after)} MiB in the last one (at most ${100 * MAX_GROWTH} % more)`,
  });
  return [
    level('resident memory', memory),
    level('heaps of all threads', heaps),
    { isGood: wal <= MAX_WAL_MIB, text: `write-ahead log: at most ${round(wal)} MiB (limit ${MAX_WAL_MIB})` },
    {
      isGood: writes[1] <= Math.max(GOOD_WRITE_MS, writes[0] * MAX_DRIFT),
      text: `99th percentile of small writes: ${round(writes[0])} ms, then ${round(writes[1])} ms (at most ${MAX_DRIFT} times, or ${GOOD_WRITE_MS} ms)`,
    },
    { isGood: failed === 0, text: `${failed} calls failed beside the load` },
  ];
}

/** One line for a minute, with the heap and the event loop delay of each thread. */
export function lineOf(one: Minute): string {
  const threads = one.threads.map(
    ({ name, heapMib, delayP99Ms }) => `${name} ${round(heapMib)}/${round(delayP99Ms)}`,
  );
  return [
    `minute ${one.minute}`,
    `${round(one.spansPerSecond)} spans/s`,
    `RSS ${round(one.residentMib)} MiB`,
    `WAL ${round(one.walMib)} MiB`,
    `write p50 ${one.writeP50Ms.toFixed(1)} p99 ${one.writeP99Ms.toFixed(1)} ms`,
    `ack p99 ${round(one.acknowledgeP99Ms)} ms`,
    `list p99 ${round(one.listP99Ms)} ms`,
    `commit ${one.commitMs.toFixed(1)} ms, longest ${round(one.longestCommitMs)} ms`,
    `store ${round(one.storeMib)} MiB`,
    `heap MiB/loop delay p99 ms: ${threads.join(', ')}`,
  ].join('   ');
}

/** The table for docs/operations.md: first, middle and last minute. */
export function tableOf(minutes: readonly Minute[]): string {
  const shown = [minutes[0], minutes[Math.floor(minutes.length / 2)], minutes.at(-1)] as Minute[];
  const mainDelay = ({ threads }: Minute): number =>
    threads.find(({ name }) => name === 'main')?.delayP99Ms ?? Number.NaN;
  const heap = ({ threads }: Minute): number => threads.reduce((sum, { heapMib }) => sum + heapMib, 0);
  const rows: [name: string, of: (one: Minute) => string][] = [
    ['spans a second', (one) => String(round(one.spansPerSecond))],
    ['resident memory', (one) => `${round(one.residentMib)} MiB`],
    ['heaps of all threads', (one) => `${round(heap(one))} MiB`],
    ['write-ahead log, largest', (one) => `${round(one.walMib)} MiB`],
    ['small write, p50 / p99', (one) => `${one.writeP50Ms.toFixed(1)} / ${one.writeP99Ms.toFixed(1)} ms`],
    ['acknowledgement of 512 spans, p99', (one) => `${round(one.acknowledgeP99Ms)} ms`],
    ['commit, average', (one) => `${one.commitMs.toFixed(1)} ms`],
    ['event loop delay of the main thread, p99', (one) => `${round(mainDelay(one))} ms`],
    ['store', (one) => `${round(one.storeMib)} MiB`],
  ];
  return [
    `| | ${shown.map(({ minute }) => `minute ${minute}`).join(' | ')} |`,
    `|---|${shown.map(() => '---').join('|')}|`,
    ...rows.map(([name, of]) => `| ${name} | ${shown.map(of).join(' | ')} |`),
  ].join('\n');
}

const round = (value: number): number => Math.round(value);
