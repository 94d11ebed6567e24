import { AppError } from '../errors.ts';
import type { Database, StoreConnection } from '../storage/database.ts';
import { RULE_SET_VERSION } from '../traces/conventions/rule-set.ts';
import { rewriteCommands } from '../traces/operations.ts';
import type { PriceList } from '../traces/prices/price-list.ts';
import { type RewriteCall, rewriteTrace } from './rewrite-trace.ts';

/** Mapping stored traces anew after the mapping rules changed; it may run beside a server. */

const PAGE = 1_000;

export interface RemapStep {
  tkey: number;
  /** All but `mapped` keep what the older rules gave; one that is too large will do so in every run. */
  outcome: 'mapped' | 'deleted' | 'tooLarge' | 'failed';
  /** Reason why a trace failed; '' otherwise. */
  reason: string;
}
type Result = Omit<RemapStep, 'tkey'>;

const MAPPED: Result = { outcome: 'mapped', reason: '' };
const DELETED: Result = { outcome: 'deleted', reason: '' };
const TOO_LARGE: Result = { outcome: 'tooLarge', reason: '' };

/** Counts the traces mapped by an older rule set, up to `limit`. */
export function countOutdated(database: Database, limit: number): number {
  const row = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM trace WHERE rule_set < ? LIMIT ?)',
    RULE_SET_VERSION,
    limit,
  );
  return row?.n ?? 0;
}

/**
 * Maps every trace of an older rule set anew, from the oldest on, each in a transaction of its own: one step for each.
 * It may be broken off after any step; the next run goes on with what is left. Throws when the store fails.
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
 * Yields pages of the outdated traces that exist at the start: a server of an older version may go on creating more.
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

/** Null when spans came meanwhile, as a server takes them, and it has to be tried again. */
function remap(database: StoreConnection, prices: PriceList, tkey: number): Result | null {
  try {
    const steps = rewriteTrace(tkey, prices, Date.now());
    let step = steps.next();
    const runWhile = (isWanted: (call: RewriteCall) => boolean): void => {
      while (!step.done && isWanted(step.value)) step = steps.next(runCommand(database, step.value));
    };
    // A transaction even to read: one state of the trace, whatever a server writes meanwhile.
    database.snapshot(() => runWhile(({ name }) => name === 'loadForRewrite'));
    if (!step.done) database.transaction(() => runWhile(() => true));
    const outcome = step.done ? step.value : 'again';
    if (outcome === 'gone')
      return database.get('SELECT 1 FROM trace WHERE tkey = ?', tkey) ? TOO_LARGE : DELETED;
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
 * Maps one trace again like `remap`, in one transaction, so that nothing comes between; a server has to wait. Only a
 * trace of very many blocks fails.
 */
function remapAlone(database: StoreConnection, prices: PriceList, tkey: number): Result {
  return database.transaction(() => remap(database, prices, tkey)) ?? TOO_LARGE;
}
