import { setTimeout as delay } from 'node:timers/promises';
import { pruneDeliveries } from '../../deliver/calls.ts';
import type { DeliveryPlace } from '../../deliver/prune-deliveries.ts';
import { pruneJudgeTexts } from '../../evaluate/calls.ts';
import { releaseRunSet } from '../run-sets/calls.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { dropTombstones, pruneLedger, pruneTraces as pruneTracesCommand } from '../../traces/calls.ts';
import { dayOf, firstKeyOf } from '../../traces/trace-keys.ts';
import {
  applicationsWithTraces,
  countPages,
  dueTraces,
  noteEvalsUntil,
  noteRetentionRun,
  readPolicy,
  releasePages,
  storedDays,
} from './calls.ts';
import type { RetentionLimits } from './contract.ts';
import { measureDays } from './count-days.ts';
import { excessOf, sumOfAmounts } from './usage.ts';

const DAY_MS = 86_400_000;
/** Time after which the mark of a deleted trace, which rejects its late spans, is removed. */
const REJECT_MS = DAY_MS;
/** Share of the file that may stay unused: new traces fill it, and to move pages costs time. */
const UNUSED_SHARE = 0.02;
const UNUSED_PAGES = 256;
const BATCH = 500;
/** Days for which the ledger of received spans is kept. */
const LEDGER_DAYS = 400;
/** Shortest pause after a command. A longer command is followed by a pause of its length. */
const MIN_PAUSE_MS = 5;

export interface RetentionDeps {
  read: Read;
  write: Write;
  now: () => number;
  isStopped: () => boolean;
  /** Called after each deletion. */
  onDeleted: (deleted: Deleted) => void;
}

export interface Deleted {
  traces: number;
  bytes: number;
}

const NOTHING: Deleted = { traces: 0, bytes: 0 };

/** Measures every application, deletes what its limits no longer keep, and gives the space back; returns what was deleted. */
export async function applyRetention(deps: RetentionDeps): Promise<Deleted> {
  let deleted = NOTHING;
  for (const application of await deps.read(applicationsWithTraces, null)) {
    if (deps.isStopped()) return deleted;
    deleted = plus(deleted, await pruneApplication(deps, application));
  }
  const limit = BATCH;
  await repeat(deps, () => deps.write(dropTombstones, { at: deps.now(), limit }), limit);
  await releaseSpace(deps, false);
  return deleted;
}

/** Deletes what the limits of one application no longer keep; `limits` replaces them for this run. */
export async function pruneApplication(
  deps: RetentionDeps,
  application: number,
  limits: RetentionLimits = {},
): Promise<Deleted> {
  const { read, write, now } = deps;
  await measureDays(deps, application);
  const old = now() - LEDGER_DAYS * DAY_MS;
  await repeat(deps, () => write(pruneLedger, { application, before: old, limit: BATCH }), BATCH);
  const { days, maxBytes, pinnedDays, keptRunSets } = {
    ...(await read(readPolicy, { application })),
    ...limits,
  };
  const pins = { pinnedDays, keptRunSets };
  let deleted = NOTHING;
  if (days !== null) {
    const before = firstKeyOf(dayOf(now()) - days);
    deleted = await pruneTraces(deps, { application, before, ...pins, bytes: Infinity });
    await pruneRecords(deps, { application, before: now() - days * DAY_MS, ...pins });
  }
  let isOver = false;
  if (maxBytes !== null) {
    const used = (await usedBytes(deps, application)) - deleted.bytes;
    const wanted = excessOf(used, maxBytes);
    if (wanted > 0) {
      const before = firstKeyOf(dayOf(now()) + 1);
      const more = await pruneTraces(deps, { application, before, ...pins, bytes: wanted });
      isOver = used - more.bytes > maxBytes && !deps.isStopped();
      deleted = plus(deleted, more);
    }
  }
  if (deleted.traces > 0) await measureDays(deps, application);
  await write(noteRetentionRun, {
    application,
    at: now(),
    deletedTraces: deleted.traces,
    deletedBytes: Math.round(deleted.bytes),
    isOver,
  });
  return deleted;
}

/** Deletes deliveries and the texts of judging from before a time; tests and verdicts remain. */
async function pruneRecords(
  deps: RetentionDeps,
  { application, before, pinnedDays, keptRunSets }: Omit<Pruning, 'bytes'>,
): Promise<void> {
  const { read, write, now, isStopped } = deps;
  const pins = { keptRunSets, pinnedFrom: now() - pinnedDays * DAY_MS };
  let place: DeliveryPlace | null = null;
  do {
    const after: DeliveryPlace | null = place;
    place = await paced(() => write(pruneDeliveries, { application, after, before, ...pins }));
  } while (place !== null && !isStopped());
  const { evalsUntil } = await read(readPolicy, { application });
  let after: number | null = evalsUntil;
  while (after !== null && !isStopped()) {
    const from: number = after;
    after = await paced(() => write(pruneJudgeTexts, { application, after: from, before, ...pins }));
    if (after !== null) await write(noteEvalsUntil, { application, until: after });
  }
  for (let hasMore = true; hasMore && !isStopped(); )
    hasMore = await paced(() => write(releaseRunSet, { application, before, at: now(), ...pins }));
}

const plus = (a: Deleted, b: Deleted): Deleted => ({ traces: a.traces + b.traces, bytes: a.bytes + b.bytes });

const usedBytes = async ({ read }: RetentionDeps, application: number): Promise<number> =>
  sumOfAmounts(await read(storedDays, { application })).bytes;

interface Pruning {
  application: number;
  /** Traces of lower keys may be deleted. */
  before: number;
  pinnedDays: number;
  keptRunSets: number;
  /** Bytes after which it ends. */
  bytes: number;
}

/** Deletes traces that are not pinned, the oldest first, with a pause after each command. */
async function pruneTraces(deps: RetentionDeps, { bytes, ...due }: Pruning): Promise<Deleted> {
  const { application } = due;
  let deleted = NOTHING;
  for (let after: number | null = -1; after !== null && deleted.bytes < bytes; ) {
    const page: Awaited<ReturnType<typeof duePage>> = await duePage(deps, { ...due, after });
    let enough = 0;
    let sum = deleted.bytes;
    while (enough < page.tkeys.length && sum < bytes) sum += page.amounts[enough++]?.bytes ?? 0;
    for (let done = 0; done < enough; ) {
      if (deps.isStopped()) return deleted;
      const count = await deleteSome(deps, application, page.tkeys.slice(done, enough));
      const part = { traces: count, bytes: sumOfAmounts(page.amounts.slice(done, done + count)).bytes };
      deleted = plus(deleted, part);
      deps.onDeleted(part);
      done += count;
    }
    after = page.last;
  }
  return deleted;
}

const duePage = ({ read, now }: RetentionDeps, args: Omit<Pruning, 'bytes'> & { after: number }) =>
  read(dueTraces, { ...args, now: now() });

async function deleteSome(
  deps: RetentionDeps,
  application: number,
  tkeys: readonly number[],
): Promise<number> {
  const at = deps.now();
  return paced(() => deps.write(pruneTracesCommand, { application, tkeys, at, rejectUntil: at + REJECT_MS }));
}

/** Gives unused pages of the file back to the disk: all, or those beyond what new traces soon fill. */
export async function releaseSpace(deps: RetentionDeps, all: boolean): Promise<void> {
  const { pages, unused } = await deps.read(countPages, null);
  const keep = all ? 0 : Math.max(UNUSED_PAGES, Math.floor(pages * UNUSED_SHARE));
  if (unused <= keep * (all ? 1 : 2)) return;
  while (!deps.isStopped() && (await paced(() => deps.write(releasePages, { keep }))) > 0);
}

/** Repeats a command until it changes fewer rows than its limit. */
async function repeat(
  deps: Pick<RetentionDeps, 'isStopped'>,
  command: () => Promise<number>,
  limit: number,
): Promise<void> {
  while (!deps.isStopped() && (await paced(command)) >= limit);
}

/** Runs a command, and waits for as long as it took, so that others have at least half of the writer. */
async function paced<T>(command: () => Promise<T>): Promise<T> {
  const since = performance.now();
  const result = await command();
  await delay(Math.max(MIN_PAUSE_MS, performance.now() - since));
  return result;
}
