import { totalmem } from 'node:os';
import { MIB } from './setting.ts';

/** Memory that the server needs besides requests and responses: its threads, caches of SQLite, and evaluations. */
const BASE_BYTES = 320 * MIB;
/** Memory limit below which a server under load may be ended by the system. */
const LEAST_BYTES = 384 * MIB;
/** Memory that a request may take for each byte that is charged for it: garbage, copies in other threads, its response. */
const TIMES_BUDGET = 3;
const BUDGET_BYTES = 192 * MIB;
const LEAST_BUDGET_BYTES = 16 * MIB;
const BODY_BYTES = 64 * MIB;
const RESPONSE_BYTES = 128 * MIB;
/** Descriptors that are kept for other things than connections: the store, threads, requests to apps and judges. */
const OWN_FILES = 512;

/** Fewest threads: an organisation that occupies one leaves the other to its neighbours. */
const LEAST_PREPARE_THREADS = 2;
/** Most by default: one writer stores what they all prepare, and each has a heap of its own. */
const MOST_PREPARE_THREADS = 4;

/** Returns how many threads decode by default. The other half of the cores is left to the writer, the readers and the main thread. */
export const prepareThreadsFor = (cores: number): number =>
  Math.min(MOST_PREPARE_THREADS, Math.max(LEAST_PREPARE_THREADS, Math.floor(cores / 2)));

/** Defaults that depend on the memory that the process may use. */
export interface MemoryDefaults {
  memoryBudgetBytes: number;
  maxBodyBytes: number;
  /** Memory of responses that wait to be sent. */
  responseBytes: number;
}

/** Returns the memory limit of the process or its container, or the memory of the machine, in bytes. */
export function memoryLimitBytes(): number {
  // 0 and huge numbers mean that there is no limit.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Returns the largest memory budget that is safe with this memory limit. */
const safeBudgetBytes = (limitBytes: number): number =>
  Math.max(LEAST_BUDGET_BYTES, Math.floor((limitBytes - BASE_BYTES) / TIMES_BUDGET / MIB) * MIB);

/** Returns the defaults for a memory limit: the usual ones from 1 GiB on, and smaller ones in proportion below. */
export function memoryDefaults(limitBytes: number): MemoryDefaults {
  const memoryBudgetBytes = Math.min(BUDGET_BYTES, safeBudgetBytes(limitBytes));
  return {
    memoryBudgetBytes,
    maxBodyBytes: Math.min(BODY_BYTES, memoryBudgetBytes / 2),
    responseBytes: Math.floor((RESPONSE_BYTES * memoryBudgetBytes) / BUDGET_BYTES),
  };
}

type Sizes = Omit<MemoryDefaults, 'responseBytes'>;

/** Returns the memory budget and the largest body: those in the settings (`given`), or else what fits the memory limit. */
export function fitToMemory(sizes: Sizes, given: ReadonlySet<string>, limitBytes: number): Sizes {
  const { memoryBudgetBytes } = sizes;
  if (given.has('memoryBudgetBytes')) return { memoryBudgetBytes, maxBodyBytes: sizes.maxBodyBytes };
  const defaults = memoryDefaults(limitBytes);
  const { maxBodyBytes } = given.has('maxBodyBytes') ? sizes : defaults;
  const forBody = Math.min(memoryBudgetBytes, 2 * maxBodyBytes);
  return { maxBodyBytes, memoryBudgetBytes: Math.max(defaults.memoryBudgetBytes, forBody) };
}

/** Warns of a memory limit that is too low for the server or for its memory budget. */
export function memoryWarnings(limitBytes: number, { memoryBudgetBytes }: Sizes): string[] {
  const limit = `The memory limit of ${Math.floor(limitBytes / MIB)} MiB`;
  if (limitBytes < LEAST_BYTES)
    return [
      `${limit} is less than the ${LEAST_BYTES / MIB} MiB that a server under load needs; raise it, or the system may end the server.`,
    ];
  const safe = safeBudgetBytes(limitBytes);
  if (memoryBudgetBytes <= safe) return [];
  return [
    `${limit} is too low for a memory budget of ${Math.floor(memoryBudgetBytes / MIB)} MiB; raise it, or set TOUCHSTONE_MEMORY_BUDGET_BYTES to at most ${safe / MIB} MiB.`,
  ];
}

/**
 * Returns how many connections each of the two ports may have, so that the descriptors suffice for them and for the
 * store: without a free one, a server could not even start a thread.
 */
export function connectionLimit(wanted: number, maxFiles: number | null): number {
  if (maxFiles === null) return wanted;
  const forConnections = Math.max(maxFiles - OWN_FILES, maxFiles / 2);
  return Math.max(1, Math.min(wanted, Math.floor(forConnections / 2)));
}

/** Warns of a limit of descriptors that is too low for the connections in the settings; null if it is not. */
export function connectionWarning(wanted: number, maxFiles: number | null): string | null {
  const limit = connectionLimit(wanted, maxFiles);
  if (limit === wanted) return null;
  return `The limit of ${maxFiles} open files allows ${limit} connections to each port and not ${wanted}; raise it (LimitNOFILE, ulimit -n), or lower TOUCHSTONE_MAX_CONNECTIONS.`;
}
