import { AppError } from '../errors.ts';
import type { Database, StoreConnection } from '../storage/database.ts';
import { RULE_SET_VERSION } from '../traces/conventions/rule-set.ts';
import { rewriteCommands } from '../traces/operations.ts';
import { appliedOwnRules, noteRemapped } from '../traces/own-rules/store.ts';
import type { PriceList } from '../traces/prices/price-list.ts';
import { type RewriteCall, rewriteTrace } from './rewrite-trace.ts';

/** Maps stored traces again after the mapping rules have changed. It may run while a server uses the store. */

const PAGE = 1_000;
/** Traces that an interrupted run may map again. */
const OWN_PAGE = 100;

export interface RemapStep {
  tkey: number;
  /**
   * Outcome of one trace. All except `mapped` keep the result of the older rules; `tooLarge` is the same in every
   * run.
   */
  outcome: 'mapped' | 'deleted' | 'tooLarge' | 'failed';
  /** Reason why a trace failed; otherwise ''. */
  reason: string;
}
type Result = Omit<RemapStep, 'tkey'>;

const MAPPED: Result = { outcome: 'mapped', reason: '' };
const DELETED: Result = { outcome: 'deleted', reason: '' };
const TOO_LARGE: Result = { outcome: 'tooLarge', reason: '' };

/** Counts the traces mapped by an older rule set, or by older own rules of their application, up to `limit`. */
export function countOutdated(database: Database, limit: number): number {
  const row = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM trace WHERE rule_set < :ruleSetVersion LIMIT :limit)',
    { ruleSetVersion: RULE_SET_VERSION, limit },
  );
  let count = row?.n ?? 0;
  for (const { application, after, last } of outdatedApplications(database)) {
    if (count >= limit) break;
    const more = database.get<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM trace WHERE tkey > :after AND tkey <= :last AND application = :application
       AND rule_set >= :ruleSet LIMIT :limit)`,
      { application, after, last, ruleSet: RULE_SET_VERSION, limit: limit - count },
    );
    count += more?.n ?? 0;
  }
  return count;
}

interface OutdatedApplication {
  application: number;
  /** Version of its own rules. */
  version: string;
  /** Traces after the one and up to the other were mapped by older ones. */
  after: number;
  last: number;
}

/** Returns the applications with traces that older own rules or prices have mapped. */
function outdatedApplications(database: Database): OutdatedApplication[] {
  const applications = database.all<{ application: number; last: number }>(
    'SELECT application, max(last_tkey) AS last FROM own_rules GROUP BY application ORDER BY application',
  );
  return applications.flatMap(({ application, last }) => {
    const version = appliedOwnRules(database, { application })?.version ?? '';
    const done = database.get<{ version: string; after: number }>(
      'SELECT version, after_tkey AS after FROM own_remap WHERE application = :application',
      { application },
    );
    const after = done?.version === version ? done.after : 0;
    return after < last ? [{ application, version, after, last }] : [];
  });
}

/** Maps the traces of one application again, and notes how far that went after each page. */
function* remapApplication(
  database: StoreConnection,
  prices: PriceList,
  { application, version, after, last }: OutdatedApplication,
): Generator<RemapStep, void, void> {
  const note = (tkey: number): void =>
    database.transaction(() => noteRemapped(database, { application, version, tkey }));
  for (let from = after; from < last; ) {
    const page = database.all<{ tkey: number }>(
      `SELECT tkey FROM trace WHERE tkey > :from AND tkey <= :last AND application = :application
       ORDER BY tkey LIMIT :limit`,
      { from, last, application, limit: OWN_PAGE },
    );
    // The caller may end after any trace.
    try {
      for (const { tkey } of page) {
        const result = remap(database, prices, tkey) ?? remapAlone(database, prices, tkey);
        from = tkey;
        if (page.length < OWN_PAGE && tkey === page.at(-1)?.tkey) from = last;
        yield { tkey, ...result };
      }
      if (page.length === 0) from = last;
    } finally {
      note(from);
    }
  }
}

/**
 * Maps every trace of an older rule set, or of older own rules, again, oldest first, each in its own transaction, and yields after each. It
 * may be interrupted after any step; the next run continues with the remaining traces. Throws when the store fails.
 */
export function* remapTraces(database: StoreConnection, prices: PriceList): Generator<RemapStep, void, void> {
  for (const page of outdatedPages(database)) {
    const again: number[] = [];
    for (const tkey of page) {
      const result = remap(database, prices, tkey);
      if (result) yield { tkey, ...result };
      else again.push(tkey);
    }
    for (const tkey of again) yield { tkey, ...remapAlone(database, prices, tkey) };
  }
  for (const outdated of outdatedApplications(database)) yield* remapApplication(database, prices, outdated);
}

/** A trace that was mapped again, with its cost before and after. */
interface ChosenStep extends RemapStep {
  costs: { before: number; after: number };
}

/**
 * Maps the traces of an application again that began at a time (Unix milliseconds) or later. A dry run leaves each as it was.
 */
export function* remapChosen(
  database: StoreConnection,
  prices: PriceList,
  { application, from, isDry }: { application: number; from: number; isDry: boolean },
): Generator<ChosenStep, void, void> {
  const last = database.get<{ tkey: number | null }>('SELECT max(tkey) AS tkey FROM trace')?.tkey ?? 0;
  const start = BigInt(from) * 1_000_000n;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page: { tkey: number }[] = database.all<{ tkey: number }>(
      `SELECT tkey FROM trace WHERE tkey > :after AND tkey <= :last AND application = :application AND start_ns >= :start
       ORDER BY tkey LIMIT :limit`,
      { after, last, application, start, limit: PAGE },
    );
    for (const { tkey } of page) {
      const before = costOfTrace(database, tkey);
      const { result, cost } = isDry
        ? tryRemap(database, prices, tkey)
        : { result: remap(database, prices, tkey) ?? remapAlone(database, prices, tkey), cost: null };
      yield { tkey, ...result, costs: { before, after: cost ?? costOfTrace(database, tkey) } };
    }
    after = page.at(-1)?.tkey;
  }
}

const costOfTrace = (database: Database, tkey: number): number =>
  database.get<{ cost: number }>('SELECT cost FROM trace WHERE tkey = :tkey', { tkey })?.cost ?? 0;

/** Ends the transaction of a dry run, whose changes are undone. */
class UndoDryRun extends Error {}

/** Maps one trace again, and undoes it. Returns the cost that it would have. */
function tryRemap(
  database: StoreConnection,
  prices: PriceList,
  tkey: number,
): { result: Result; cost: number } {
  let found = { result: TOO_LARGE, cost: costOfTrace(database, tkey) };
  try {
    database.transaction(() => {
      const result = remap(database, prices, tkey) ?? TOO_LARGE;
      found = { result, cost: costOfTrace(database, tkey) };
      throw new UndoDryRun();
    });
  } catch (error) {
    if (!(error instanceof UndoDryRun)) throw error;
  }
  return found;
}

/**
 * Yields pages of the outdated traces that exist at the start. A server of an older version may create more in the
 * meantime.
 */
function* outdatedPages(database: Database): Generator<number[], void, void> {
  const last = database.get<{ tkey: number | null }>('SELECT max(tkey) AS tkey FROM trace')?.tkey ?? 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page: number[] = database
      .all<{ tkey: number }>(
        'SELECT tkey FROM trace WHERE tkey > :after AND tkey <= :last AND rule_set < :ruleSet ORDER BY tkey LIMIT :limit',
        { after, last, ruleSet: RULE_SET_VERSION, limit: PAGE },
      )
      .map(({ tkey }) => tkey);
    yield page;
    after = page.at(-1);
  }
}

/** Maps one trace again; null when spans have arrived in the meantime, in which case it must be repeated. */
function remap(database: StoreConnection, prices: PriceList, tkey: number): Result | null {
  try {
    const steps = rewriteTrace(tkey, prices, Date.now());
    let step = steps.next();
    const runWhile = (isWanted: (call: RewriteCall) => boolean): void => {
      while (!step.done && isWanted(step.value)) step = steps.next(runCommand(database, step.value));
    };
    // Reads in a transaction too, to see one state of the trace while a server writes.
    database.snapshot(() => runWhile(({ name }) => name === 'loadForRewrite'));
    if (!step.done) database.transaction(() => runWhile(() => true));
    const outcome = step.done ? step.value : 'again';
    if (outcome === 'gone')
      return database.get('SELECT 1 FROM trace WHERE tkey = :tkey', { tkey }) ? TOO_LARGE : DELETED;
    return outcome === 'done' ? MAPPED : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') return TOO_LARGE;
    if (error instanceof AppError && error.code === 'conflict') return null;
    if (database.hasFailed(error)) throw error;
    return { outcome: 'failed', reason: String(error) };
  }
}

function runCommand(database: Database, { name, args }: RewriteCall): unknown {
  const command: (database: Database, args: never) => unknown = rewriteCommands[name];
  return command(database, args as never);
}

/**
 * Maps one trace again like `remap`, in one transaction that excludes other writers, so that a server has to wait.
 * Fails only for traces of very many blocks.
 */
function remapAlone(database: StoreConnection, prices: PriceList, tkey: number): Result {
  return database.transaction(() => remap(database, prices, tkey)) ?? TOO_LARGE;
}
