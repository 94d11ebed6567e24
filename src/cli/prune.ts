import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { getRetention } from '../resources/retention/calls.ts';
import { type Retention, setRetentionBody } from '../resources/retention/contract.ts';
import { measureDays } from '../resources/retention/count-days.ts';
import {
  type Deleted,
  pruneApplication,
  releaseSpace,
  type RetentionDeps,
} from '../resources/retention/run.ts';
import type { StoreConnection } from '../storage/database.ts';
import { chooseApplication } from './choose-application.ts';
import { checkStoreExists, openForLongRun, storeFailure } from './data-folder.ts';
import { directCalls } from './direct-calls.ts';
import { watchInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { grouped, ProgressLine } from './progress.ts';
import { formatTable } from './tables.ts';

const DRY_RUN_FLAG = '--dry-run';
const JSON_FLAG = '--json';
const APPLICATION_FLAG = '--application-id';

interface Limits {
  days?: number;
  maxBytes?: number;
}

interface Pruned {
  applicationId: string;
  retention: Retention;
  deleted: Deleted | null;
}

/** Deletes what retention no longer keeps, and gives the space back. It works while a server runs. */
export async function prune(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, APPLICATION_FLAG, '--days', '--max-bytes'],
    switches: [DRY_RUN_FLAG, JSON_FLAG],
  });
  if (words[0] !== undefined) throw new StartupError(`prune takes no "${words[0].slice(0, 80)}".`);
  const limits = readLimits(flags.get('--days'), flags.get('--max-bytes'));
  const { config } = readConfig(flags, io.env);
  checkStoreExists(config);
  const database = openForLongRun(config);
  try {
    const wanted = flags.get(APPLICATION_FLAG);
    const chosen = applicationsOf(database, wanted, Object.keys(limits).length > 0);
    const isJson = flags.has(JSON_FLAG);
    const progressIo = isJson ? { ...io, out: io.err } : io;
    const pruned = await pruneAll(database, { chosen, limits, isDry: flags.has(DRY_RUN_FLAG) }, progressIo);
    io.out(isJson ? `${JSON.stringify({ applications: pruned })}\n` : report(pruned));
  } catch (error) {
    throw storeFailure(error, config);
  } finally {
    database.close();
  }
}

interface Chosen {
  application: number;
  id: string;
}

/** Returns the application to prune; all if none is given, which is possible with their stored limits only. */
function applicationsOf(database: StoreConnection, id: string | undefined, hasLimits: boolean): Chosen[] {
  if (id !== undefined || hasLimits) return [chooseApplication(database, id)];
  return database.all<Chosen>('SELECT application, id FROM application ORDER BY application');
}

async function pruneAll(
  database: StoreConnection,
  { chosen, limits, isDry }: { chosen: readonly Chosen[]; limits: Limits; isDry: boolean },
  io: Io,
): Promise<Pruned[]> {
  using interrupt = watchInterrupt();
  const progress = new ProgressLine(io, null, 'traces');
  let traces = 0;
  const deps: RetentionDeps = {
    ...directCalls(database),
    now: Date.now,
    isStopped: interrupt.came,
    onDeleted: (deleted) => progress.show((traces += deleted.traces)),
  };
  const pruned: Pruned[] = [];
  for (const { application, id } of chosen) {
    await measureDays(deps, application);
    const retention = await deps.read(getRetention, { application, limits, now: Date.now() });
    const deleted = isDry ? null : await pruneApplication(deps, application, limits);
    pruned.push({ applicationId: id, retention, deleted });
  }
  if (!isDry) await releaseSpace(deps, true);
  progress.end();
  if (interrupt.came()) throw new StartupError('Interrupted; the next prune continues from here.');
  return pruned;
}

function readLimits(days: string | undefined, maxBytes: string | undefined): Limits {
  const given = {
    ...(days !== undefined && { days: Number(days) }),
    ...(maxBytes !== undefined && { maxBytes: Number(maxBytes) }),
  };
  if (setRetentionBody.safeParse(given).success) return given;
  throw new StartupError(
    '--days must be a number from 1 to 36500, and --max-bytes a number of at least 16777216.',
  );
}

const report = (pruned: readonly Pruned[]): string =>
  formatTable(
    ['APPLICATION', 'DAYS', 'MAX BYTES', 'TRACES', 'BYTES', 'DUE TRACES', 'DUE BYTES', 'DELETED'],
    pruned.map(({ applicationId, retention: { days, maxBytes, usage, due }, deleted }) => [
      applicationId,
      String(days ?? '-'),
      maxBytes === null ? '-' : grouped(maxBytes),
      grouped(usage.traces),
      grouped(usage.bytes),
      grouped(due.traces),
      grouped(due.bytes),
      deleted === null ? 'dry run' : grouped(deleted.traces),
    ]),
  );
