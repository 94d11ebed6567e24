import { AppError } from '../errors.ts';
import type { Database, StoreConnection } from '../storage/database.ts';
import { RULE_SET_VERSION } from '../traces/conventions/rule-set.ts';
import { rewriteCommands } from '../traces/operations.ts';
import type { PriceList } from '../traces/prices/price-list.ts';
import { type RewriteCall, rewriteTrace } from './rewrite-trace.ts';

/** Maps stored traces again after the mapping rules have changed. It may run while a server uses the store. */

const PAGE = 1_000;

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

/** Counts the traces mapped by an older rule set, up to `limit`. */
export function countOutdated(database: Database, limit: number): number {
  const row = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM trace WHERE rule_set < :ruleSetVersion LIMIT :limit)',
    { ruleSetVersion: RULE_SET_VERSION, limit },
  );
  return row?.n ?? 0;
}

/**
 * Maps every trace of an older rule set again, oldest first, each in its own transaction, and yields after each. It
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
