import { createClient } from '../api/client.ts';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { type Flags, readFlags } from '../config/flags.ts';
import { type Check, ok, problem, warning } from '../contract/check.ts';
import { StartupError } from '../errors.ts';
import type { Retention } from '../resources/retention/contract.ts';
import { createPriceList } from '../traces/prices/price-list.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import { checkLine } from './check-line.ts';
import { databaseOf } from './database.ts';
import { databaseChecks } from './database-checks.ts';
import { folderChecks } from './folder-checks.ts';
import type { Io } from './io.ts';
import { readJudges } from './judges-file.ts';
import { readPricesFile } from './prices-file.ts';
import { grouped } from './progress.ts';
import { withoutWords } from './read-server.ts';
import { once, RejectedError } from './test-calls.ts';

const CLOCK_MS = 5_000;

/**
 * Checks a running server by its address and key, or with `--data-dir` a data folder, and prints what was found and
 * what to do about it. Changes nothing. Returns 1 if there is a problem. Throws StartupError.
 */
export async function doctor(args: readonly string[], io: Io): Promise<number> {
  const { flags, words } = readFlags(args, {
    values: [...ACCOUNT_FLAGS, DATA_DIR_FLAG],
    switches: ['--json'],
  });
  withoutWords('doctor', words);
  const checks =
    flags.has(DATA_DIR_FLAG) || hasDatabase(io.env)
      ? await checksOfFolder(
          new Map(flags.has(DATA_DIR_FLAG) ? [[DATA_DIR_FLAG, flags.get(DATA_DIR_FLAG) ?? '']] : []),
          io.env,
        )
      : await serverChecks(readAccount('doctor', flags, io.env));
  io.out(flags.has('--json') ? `${JSON.stringify({ checks }, null, 2)}\n` : checks.map(checkLine).join(''));
  return checks.some(({ level }) => level === 'problem') ? 1 : 0;
}

/** Reports whether the environment names a database, and no server to ask. */
const hasDatabase = (env: Io['env']): boolean =>
  Boolean(env['TOUCHSTONE_DATABASE_URL'] || env['TOUCHSTONE_DATABASE_URL_FILE']) &&
  !env['TOUCHSTONE_API_KEY'];

async function serverChecks(account: ReturnType<typeof readAccount>): Promise<Check[]> {
  const { baseUrl, applicationId } = account;
  const api = createClient(account);
  const never = new AbortController().signal;
  const before = Date.now();
  let date: string | null = null;
  const health = await once(baseUrl, never, async (init) => {
    const params = { path: { id: applicationId }, query: { probe: true } };
    const got = await api.GET('/v0/applications/{id}/health', { params, ...init });
    date = got.response.headers.get('date');
    return got;
  }).catch((error: unknown) => {
    if (error instanceof StartupError) return error;
    throw error;
  });
  if (health instanceof StartupError) return [problem('Server', health.message, adviceOn(health))];
  const system = await once(baseUrl, never, (init) => api.GET('/v0/system', init)).catch((error: unknown) => {
    if (error instanceof RejectedError && error.status === 403) return null;
    throw error;
  });
  return [
    ok('Server', `${baseUrl} responds and accepts the key.`),
    clockCheck(date, before),
    ...health.data.checks,
    retentionCheck((await once(baseUrl, never, (init) => api.GET('/v0/retention', init))).data),
    ...(system?.data.checks ?? [
      warning('System', 'The key may not see the state of the server.', 'Use a key with the scope admin.'),
    ]),
  ];
}

/** Says what to do when the server did not respond as it should. */
const adviceOn = (error: StartupError): string =>
  error instanceof RejectedError && error.status === 503
    ? 'The server runs, but its store does not work: run `touchstone doctor --data-dir` with its data folder, on its machine.'
    : 'Check the address, the API key and the application id.';

/** Compares the clock of this machine with the `Date` header of the server, which has whole seconds. */
function clockCheck(date: string | null, now: number): Check {
  const difference = date === null ? 0 : Date.parse(date) - now;
  if (Math.abs(difference) < CLOCK_MS) return ok('Clock', 'This machine and the server agree.');
  const seconds = Math.round(Math.abs(difference) / 1_000);
  const direction = difference > 0 ? 'ahead of' : 'behind';
  return warning(
    'Clock',
    `The server is ${seconds} s ${direction} this machine.`,
    'Synchronize both clocks (NTP): signatures of webhooks expire by them.',
  );
}

/** Says how long the limits of retention keep what arrives. */
function retentionCheck({ days, maxBytes, daysLeft, isOverBudget }: Retention): Check {
  const name = 'Retention';
  if (isOverBudget)
    return problem(
      name,
      'The traces beyond the limit in bytes are all pinned, so that none can be deleted.',
      'Raise the limit, or shorten the time for which traces stay pinned (Settings → Retention).',
    );
  const limits = [
    ...(days === null ? [] : [`Traces are kept for ${days} days.`]),
    ...(maxBytes === null ? [] : [`They may use ${grouped(maxBytes)} bytes.`]),
    ...(daysLeft === null ? [] : [`At the present growth this is reached in ${Math.floor(daysLeft)} days.`]),
  ];
  return ok(name, limits.length === 0 ? 'Traces are kept without limit.' : limits.join(' '));
}

/** Checks the settings of the environment, and the files that they name. */
function settingChecks({ config, warnings }: ReturnType<typeof readConfig>, env: Io['env']): Check[] {
  const name = 'Settings';
  const found = warnings.map((text) => warning(name, text, 'Correct it, or remove it.'));
  try {
    const prices = config.pricesFile === null ? {} : readPricesFile(config.pricesFile);
    readJudges(config, env, createPriceList({ file: prices }));
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    found.push(problem(name, error.message, 'The server does not start until this is corrected.'));
  }
  return found.length > 0 ? found : [ok(name, 'The settings of this environment are valid.')];
}

async function checksOfFolder(flags: Flags, env: Io['env']): Promise<Check[]> {
  const read = readConfig(flags, env);
  const { config } = read;
  const checks = databaseOf(config) === null ? await folderChecks(config) : databaseChecks(config);
  return [...settingChecks(read, env), ...checks];
}
