import { randomUUID } from 'node:crypto';
import { type Config, DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { audited } from '../people/calls.ts';
import { getErasure } from '../resources/erasures/calls.ts';
import { COUNTED, createErasureBody, type Erasure } from '../resources/erasures/contract.ts';
import { otherFormsOf } from '../resources/erasures/other-forms.ts';
import { runErasure } from '../resources/erasures/run.ts';
import { getMasking } from '../resources/masking/calls.ts';
import { maskedFormsOf } from '../resources/masking/masked-forms.ts';
import { SecretBox } from '../runtime/secrets.ts';
import type { StoreConnection } from '../storage/database.ts';
import type { Storage } from '../storage/storage.ts';
import { chooseApplication } from './choose-application.ts';
import { COMMAND_LINE } from './command-line-actor.ts';
import { checkStoreExists, openForLongRun, storeFailure } from './data-folder.ts';
import { directCalls } from './direct-calls.ts';
import { findSnapshots } from './find-snapshots.ts';
import { watchInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { presentKey } from './present-key.ts';
import { grouped } from './progress.ts';
import { sealedElsewhereWarning } from './start-warnings.ts';
import { formatTable } from './tables.ts';

const JSON_FLAG = '--json';
/** Time after which the command leaves the rest to the server. */
const PATIENCE_MS = 3_600_000;

/** Deletes all traces of a user or session, and prints the receipt. It works while a server runs. */
export async function erase(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, '--application-id', '--user', '--session'],
    switches: [JSON_FLAG],
  });
  if (words[0] !== undefined) throw new StartupError(`erase takes no "${words[0].slice(0, 80)}".`);
  const [userId, sessionId] = [flags.get('--user'), flags.get('--session')];
  if (!createErasureBody.safeParse({ userId, sessionId }).success)
    throw new StartupError('erase needs either --user or --session: an id of 1 to 1000 characters.');
  const { config } = readConfig(flags, io.env);
  checkStoreExists(config);
  const database = openForLongRun(config);
  try {
    const subject =
      userId === undefined
        ? ({ subjectType: 'session', value: sessionId ?? '' } as const)
        : ({ subjectType: 'user', value: userId } as const);
    const receipt = await eraseSubject(database, config, flags.get('--application-id'), subject);
    io.out(flags.has(JSON_FLAG) ? `${JSON.stringify(receipt)}\n` : report(receipt));
    if (receipt.status === 'PENDING')
      throw new StartupError(
        receipt.pendingFor === 'READERS'
          ? 'All is deleted, but a program reads an older state of the store, which keeps its write-ahead log; the server completes the erasure once that program ends, and so does the same command.'
          : 'Interrupted; the server completes the erasure, and so does the same command.',
      );
  } catch (error) {
    throw storeFailure(error, config);
  } finally {
    database.close();
  }
}

/** Key that shows whether masking replaces an id, not by what. */
const NO_KEY = new Uint8Array(32);

/** Returns the secret key of the server, on which masked ids depend; null where it is unknown and not needed. */
function keyOfServer(database: StoreConnection, config: Config, isMasked: boolean): Buffer | null {
  const key = presentKey(config);
  const isOther = key !== null && sealedElsewhereWarning(database, config) !== null;
  if (isMasked && (key === null || isOther))
    throw new StartupError(
      'Masking may have replaced this id by a token that depends on the secret key of the server, which is not here; repeat the command with its TOUCHSTONE_SECRET_KEY.',
    );
  return key;
}

async function eraseSubject(
  database: StoreConnection,
  config: Config,
  applicationId: string | undefined,
  subject: Pick<Erasure, 'subjectType'> & { value: string },
): Promise<Erasure> {
  const { application, id: ownId, orgId } = chooseApplication(database, applicationId);
  const owner = { application, applicationId: ownId, orgId };
  const [id, at] = [randomUUID(), Date.now()];
  const { read, write } = directCalls(database);
  const rules = await read(getMasking, { application });
  const key = keyOfServer(database, config, maskedFormsOf(subject.value, { rules, key: NO_KEY }).length > 0);
  const masking = key && { rules, key: new SecretBox(key).derive(`${application}/masking`) };
  const otherForms = await otherFormsOf(subject.value, async (form) =>
    masking ? maskedFormsOf(form, masking) : [],
  );
  await write(audited, {
    application,
    change: {
      at,
      actor: COMMAND_LINE,
      action: 'createErasure',
      resourceId: id,
      requestId: `command-line-${id}`,
    },
    command: 'createErasure',
    args: { owner, id, subject: { ...subject, otherForms }, actor: COMMAND_LINE, at },
  });
  using interrupt = watchInterrupt();
  const clearRemains: Storage['clearRemains'] = async (begun) => database.clearRemains(begun);
  const isStopped = (): boolean => interrupt.came() || Date.now() > at + PATIENCE_MS;
  const deps = {
    write,
    now: Date.now,
    isStopped,
    clearRemains,
    findSnapshots: () => findSnapshots(config),
  };
  await runErasure(deps, { application, id });
  return await read(getErasure, { owner, id });
}

const report = ({
  id,
  subjectType,
  subjectHash,
  status,
  counts,
  copies,
  createdAt,
  completedAt,
}: Erasure): string =>
  [
    `Receipt ${id}: ${status.toLowerCase()}\n`,
    `SHA-256 of the ${subjectType} id: ${subjectHash}\n`,
    `Requested ${createdAt}, completed ${completedAt ?? '-'}\n`,
    formatTable(
      ['KIND', 'COUNT'],
      COUNTED.map((name) => [name, grouped(counts[name])]),
    ),
    copies === null ? '' : aboutCopies(copies),
  ].join('');

const aboutCopies = ({ total, data, notListed }: NonNullable<Erasure['copies']>): string =>
  [
    total === 0 ? 'No backup or export is known that was made before.\n' : '',
    total > 0 ? 'Backups and exports that were made before, and are not changed:\n' : '',
    data.length > 0
      ? formatTable(
          ['KIND', 'NAME', 'CREATED', 'BY'],
          data.map(({ kind, name, createdAt, createdBy }) => [kind, name, createdAt, createdBy ?? '-']),
        )
      : '',
    total > data.length ? `and ${grouped(total - data.length)} earlier ones.\n` : '',
    `${notListed}\n`,
  ].join('');
