import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { type Flags, readFlags } from '../config/flags.ts';
import { AppError, StartupError } from '../errors.ts';
import {
  deleteAccount,
  endMembership,
  isInOrganisation,
  listUsers as readUsers,
} from '../people/account-store.ts';
import { createInvitation } from '../people/invitation-store.ts';
import { email as emailAddress } from '../people/login-contract.ts';
import { endLogins, findCredentials, type User } from '../people/login-store.ts';
import { endLoginOf, listOwnLogins } from '../people/own-login-store.ts';
import { ROLES, type Role } from '../people/roles.ts';
import { addMember, createSetupLink, hasUsers } from '../people/setup-store.ts';
import { newToken } from '../people/tokens.ts';
import type { Database, StoreConnection } from '../storage/database.ts';
import { describeAccount, describeStranger } from './describe-account.ts';
import { chooseApplication, type ChosenApplication } from './choose-application.ts';
import { addressFile, withExistingStore } from './data-folder.ts';
import type { Io } from './io.ts';
import { localUrl } from './local-url.ts';
import { formatTable } from './tables.ts';

/** Address of the server, for the links. */
const ADDRESS_FLAGS = ['--host', '--port', '--public-url'];
const APPLICATION_FLAG = '--application-id';

export function usersCommand(args: readonly string[], io: Io): void {
  const { inStore, print } = read('users list', args, io, { words: [] });
  const rows = inStore((database) => readUsers(database));
  print(
    {
      users: rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: new Date(createdAt).toISOString() })),
    },
    formatTable(
      ['EMAIL', 'NAME', 'APPLICATION', 'ROLE', 'CREATED'],
      rows.map(({ email, name, applicationId, role, createdAt }) => [
        email,
        name,
        applicationId ?? '-',
        role ?? '-',
        new Date(createdAt).toISOString().slice(0, 10),
      ]),
    ),
  );
}

/** Prints a link for the first user, or for a named one to choose a new password. */
export function linkUser(args: readonly string[], io: Io): void {
  const { words, url, inStore, print } = read('users link', args, io, {
    words: ['[EMAIL]'],
    flags: ADDRESS_FLAGS,
  });
  const { token, widens } = inStore((database) => {
    if (words[0] === undefined && hasUsers(database))
      throw new StartupError(
        'There are users already: name one to choose a new password, or use users invite.',
      );
    const user = words[0] === undefined ? null : findUser(database, words[0]);
    return {
      token: createSetupLink(database, { userId: user?.id ?? null, at: Date.now() }),
      widens:
        user === null
          ? 'Whoever opens the link becomes admin of every application.'
          : `${describeAccount(database, user)}. Whoever opens the link gets this account in all of them, with a new password.`,
    };
  });
  io.err(`${widens} Works once, within 15 minutes:\n`);
  const link = `${url}/#setup=${token}`;
  print({ link }, `${link}\n`);
}

export function inviteUser(args: readonly string[], io: Io): void {
  const options = { words: ['EMAIL'], flags: [...ADDRESS_FLAGS, APPLICATION_FLAG, '--role'] };
  const { words, flags, url, inStore, print } = read('users invite', args, io, options);
  const email = readEmail(words[0]);
  const role = readRole(flags.get('--role') ?? 'viewer', '--role');
  const { text, hash } = newToken();
  const { applicationId, known } = inStore((database) => {
    const { application, id } = chooseApplication(database, flags.get(APPLICATION_FLAG));
    const invitation = { application, id: randomUUID(), tokenHash: hash, email, role, at: Date.now() };
    createInvitation(database, invitation);
    return { applicationId: id, known: describeStranger(database, { application, email }) };
  });
  io.err(`${known}Makes ${email} ${role} of application ${applicationId}. Works once, within 7 days:\n`);
  const link = `${url}/#invitation=${text}`;
  print({ link, email, role, applicationId }, `${link}\n`);
}

export function changeRole(args: readonly string[], io: Io): void {
  const options = { words: ['EMAIL', 'ROLE'], flags: [APPLICATION_FLAG], switches: ['--yes'] };
  const { words, flags, inStore, print } = read('users role', args, io, options);
  const role = readRole(words[1] ?? '', 'The role');
  const { user, id } = inStore((database) => {
    const found = findUser(database, words[0]);
    const chosen = chooseApplication(database, flags.get(APPLICATION_FLAG));
    const { application } = chosen;
    if (!flags.has('--yes')) requireProof(database, found, chosen);
    addMember(database, { application, userId: found.id, role, at: Date.now() });
    return { user: found, id: chosen.id };
  });
  print(
    { email: user.email, role, applicationId: id },
    `${user.email} is now ${role} of application ${id}.\n`,
  );
}

/** Removes a user from one application, or deletes the account. */
export function removeUser(args: readonly string[], io: Io): void {
  const options = { words: ['EMAIL'], flags: [APPLICATION_FLAG] };
  const { words, flags, inStore, print } = read('users remove', args, io, options);
  const wanted = flags.get(APPLICATION_FLAG);
  const { message, ...removed } = inStore((database) => {
    const { id: userId, email } = findUser(database, words[0]);
    if (wanted === undefined) {
      deleteAccount(database, { userId });
      return { email, applicationId: null, message: `Deleted the account ${email}.` };
    }
    const { application, id } = chooseApplication(database, wanted);
    if (!endMembership(database, { application, userId }))
      throw new StartupError(`${email} is not a member of application ${id}.`);
    return { email, applicationId: id, message: `Removed ${email} from application ${id}.` };
  });
  print(removed, `${message}\n`);
}

/** Lists the browsers in which a user is signed in. */
export function listLogins(args: readonly string[], io: Io): void {
  const { words, inStore, print } = read('users logins', args, io, { words: ['EMAIL'] });
  const logins = inStore((database) =>
    listOwnLogins(database, {
      userId: findUser(database, words[0]).id,
      tokenHash: new Uint8Array(),
      at: Date.now(),
    }).map(({ isCurrent: _isCurrent, ...login }) => login),
  );
  print(
    { logins },
    formatTable(
      ['ID', 'SIGNED IN', 'LAST USED', 'ADDRESS', 'BROWSER'],
      logins.map(({ id, createdAt, usedAt, address, userAgent }) => [
        id,
        createdAt.slice(0, 16),
        usedAt.slice(0, 16),
        address ?? '-',
        (userAgent ?? '-').slice(0, 60),
      ]),
    ),
  );
}

export function signOutUser(args: readonly string[], io: Io): void {
  const options = { words: ['EMAIL'], flags: ['--login'] };
  const { words, flags, inStore, print } = read('users sign-out', args, io, options);
  const loginId = flags.get('--login');
  const { email, ended } = inStore((database) => {
    const { id: userId, email: address } = findUser(database, words[0]);
    if (loginId === undefined) return { email: address, ended: endLogins(database, { userId }) };
    if (!endLoginOf(database, { userId, id: loginId, at: Date.now() }))
      throw new StartupError(`${address} has no login ${loginId.slice(0, 80)}; see users logins.`);
    return { email: address, ended: 1 };
  });
  print({ email, ended }, `Ended ${ended} ${ended === 1 ? 'login' : 'logins'} of ${email}.\n`);
}

/**
 * Throws StartupError unless the user has accepted an invitation of the organisation before: an account that another
 * organisation invited may be in the hands of whoever got that link.
 */
function requireProof(database: Database, user: User, { application, id }: ChosenApplication): void {
  if (isInOrganisation(database, { application, userId: user.id })) return;
  throw new StartupError(
    `${describeAccount(database, user)}: it has accepted no invitation of the organisation of application ${id}, so its owner may be someone else. Use users invite ${user.email}, whose link proves the person, or repeat this with --yes.`,
  );
}

interface Expected {
  /** Names of the words, those in brackets being optional. */
  words: readonly string[];
  flags?: readonly string[];
  switches?: readonly string[];
}

/** Reads the arguments of a command. `inStore` runs work in one transaction. Throws StartupError. */
function read(
  command: string,
  args: readonly string[],
  io: Io,
  { words: names, flags: more = [], switches = [] }: Expected,
) {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, ...more],
    switches: ['--json', ...switches],
  });
  const needed = names.filter((name) => !name.startsWith('['));
  if (words.length < needed.length) throw new StartupError(`${command} needs ${needed.join(' and ')}.`);
  const extra = words[names.length];
  if (extra !== undefined) throw new StartupError(`${command} takes no "${extra.slice(0, 80)}".`);
  const { config } = readConfig(flags, io.env);
  const { dataDir, publicUrl, host, port } = config;
  return {
    words,
    flags,
    url: publicUrl ?? (hasPort(flags) ? null : serverUrl(dataDir)) ?? localUrl(host, port),
    /** Prints the result, as JSON if the flag says so. */
    print: (result: object, text: string): void =>
      io.out(flags.has('--json') ? `${JSON.stringify(result)}\n` : text),
    inStore: <T>(work: (database: Database) => T): T =>
      withExistingStore(config, (database) => transact(database, work)),
  };
}

const hasPort = (flags: Flags): boolean => flags.has('--host') || flags.has('--port');

/** Returns the address of the server of this folder, which it writes down while it runs; null if there is none. */
function serverUrl(dataDir: string): string | null {
  try {
    return readFileSync(addressFile(dataDir), 'utf8').trim();
  } catch {
    return null;
  }
}

function transact<T>(database: StoreConnection, work: (database: Database) => T): T {
  try {
    return database.transaction(() => work(database));
  } catch (error) {
    throw error instanceof AppError ? new StartupError(`${error.message}.`) : error;
  }
}

function findUser(database: Database, text: string | undefined): User {
  const email = readEmail(text);
  const found = findCredentials(database, { email });
  if (!found) throw new StartupError(`There is no user ${email}; see users list.`);
  return found.user;
}

function readEmail(text = ''): string {
  const { data, success } = emailAddress.safeParse(text);
  if (success) return data;
  throw new StartupError(`${JSON.stringify(text.slice(0, 80))} is not an email address.`);
}

function readRole(text: string, name: string): Role {
  const role = ROLES.find((one) => one === text);
  if (role) return role;
  throw new StartupError(
    `${name} must be one of ${ROLES.join(', ')}, not ${JSON.stringify(text.slice(0, 80))}.`,
  );
}
