import { AppError } from '../errors.ts';
import { keyIdOf } from '../resources/api-keys/key-text.ts';
import type { Principal } from '../contract/scope.ts';
import type { Read } from '../storage/calls.ts';
import type { AttemptLimit, SignInSubject } from './attempt-limit.ts';
import { findCredentials, findTriedKey, isKnownBrowser } from './calls.ts';
import type { Cookie } from './login-cookie.ts';
import type { Credentials, User } from './login-store.ts';
import { networkOf } from './network-of.ts';
import type { Passwords } from './passwords.ts';
import type { CheckedBy, SignInLog, TriedAccount } from './sign-in-log.ts';
import { hashToken } from './tokens.ts';

/** Failures without a wait: of an account from one network, of one network, of a browser or a login that is known. */
const FREE_OF_ACCOUNT = 5;
const FREE_OF_NETWORK = 20;
const FREE_OF_KNOWN = 5;

export interface CheckDeps {
  read: Read;
  now: () => number;
  passwords: Passwords;
  attempts: AttemptLimit;
  signIns: SignInLog;
  /** Cookie of a browser with which someone signed in before. */
  browserCookie: Cookie;
  authenticateKey: (text: string) => Promise<Principal>;
}

/** The request of someone who signs in. */
export interface SignInRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  address: string;
  requestId: string;
}

/** Subjects that an attempt counts for; `sender` takes turns with others. */
interface Tries {
  /** Default: `password`. */
  method?: CheckedBy;
  subjects: readonly SignInSubject[];
  sender: string;
}

/** The account of correct credentials, and the browser if the user has signed in with it before. */
export interface CheckedCredentials extends Credentials {
  browser: string | null;
}

/** Throws `unauthorized`, in the same time and words whether or not there is such an account. */
export async function checkPassword(
  deps: CheckDeps,
  request: SignInRequest,
  { email, password }: { email: string; password: string },
): Promise<CheckedCredentials> {
  const browser = await knownBrowser(deps, request, email);
  const network = networkOf(request.address);
  const tries: Tries =
    browser === null
      ? {
          subjects: [
            { name: `account ${email} ${network}`, free: FREE_OF_ACCOUNT, isAccount: true },
            ofNetwork(network),
          ],
          sender: network,
        }
      : known(`browser ${Buffer.from(hashToken(browser)).toString('hex')}`);
  return { ...(await checked(deps, request, { email, password }, tries)), browser };
}

/** Checks the password of someone who is signed in. Throws `unauthorized`. */
export const checkOwnPassword = (
  deps: CheckDeps,
  request: SignInRequest,
  credentials: { email: string; password: string },
  userId: string,
): Promise<Credentials> =>
  checked(deps, request, credentials, { ...known(`login ${userId}`), method: 'ownPassword' });

/** Authenticates an API key with which a browser signs in. Throws `unauthorized`. */
export async function checkKey(deps: CheckDeps, request: SignInRequest, text: string): Promise<Principal> {
  const keyId = keyIdOf(text);
  const findAccount = async (): Promise<TriedAccount | null> =>
    keyId === null ? null : deps.read(findTriedKey, { keyId });
  return attempt(
    deps,
    request,
    { method: 'key', tried: keyId ?? '', findAccount },
    [networkSubject(request)],
    () => deps.authenticateKey(text),
  );
}

/** Runs the check of a link, which is no sign-in by itself. `check` throws AppError `forbidden` if the link is void. */
export const checkLink = <T>(deps: CheckDeps, request: SignInRequest, check: () => Promise<T>): Promise<T> =>
  attempt(
    deps,
    request,
    { method: 'linkToken', tried: '', findAccount: () => Promise.resolve(null) },
    [networkSubject(request)],
    check,
  );

/** Records that a link signed a user in, who has just chosen the password. */
export const recordLinkSignIn = ({ signIns }: CheckDeps, request: SignInRequest, { id, name }: User): void =>
  void signIns.record({
    ...senderOf(request),
    method: 'link',
    outcome: 'accepted',
    tried: id,
    findAccount: () => Promise.resolve({ type: 'user', id, name }),
  });

const ofNetwork = (network: string): SignInSubject => ({
  name: `network ${network}`,
  free: FREE_OF_NETWORK,
  isAccount: false,
});
const senderOf = ({ address, requestId }: SignInRequest) => ({
  address,
  network: networkOf(address),
  requestId,
});
const networkSubject = ({ address }: SignInRequest): SignInSubject => ofNetwork(networkOf(address));
const known = (name: string): Tries => ({
  subjects: [{ name, free: FREE_OF_KNOWN, isAccount: true }],
  sender: name,
});

/** Returns the token of a browser with which the user has signed in before; null if there is none. */
async function knownBrowser(
  { read, now, browserCookie }: CheckDeps,
  { headers }: SignInRequest,
  email: string,
): Promise<string | null> {
  const token = browserCookie.read(headers['cookie']);
  if (token === null) return null;
  return (await read(isKnownBrowser, { browserHash: hashToken(token), email, at: now() })) ? token : null;
}

async function checked(
  deps: CheckDeps,
  request: SignInRequest,
  { email, password }: { email: string; password: string },
  { method = 'password', subjects, sender }: Tries,
): Promise<Credentials> {
  const find = (): Promise<Credentials | null> => deps.read(findCredentials, { email });
  const findAccount = async (): Promise<TriedAccount | null> => {
    const found = await find();
    return found && { type: 'user', id: found.user.id, name: found.user.name };
  };
  return attempt(deps, request, { method, tried: email, findAccount }, subjects, async () => {
    const found = await find();
    if (!(await deps.passwords.isPassword(password, found?.passwordHash ?? null, sender)) || !found)
      throw new AppError('unauthorized', 'The email address or the password is wrong');
    return found;
  });
}

interface Tried {
  method: CheckedBy;
  tried: string;
  findAccount: () => Promise<TriedAccount | null>;
}

/** Runs a check of credentials as one attempt, and records its outcome. Only what was checked counts as a failure. */
async function attempt<T>(
  { attempts, signIns }: CheckDeps,
  request: SignInRequest,
  tried: Tried,
  subjects: readonly SignInSubject[],
  check: () => Promise<T>,
): Promise<T> {
  const record = (outcome: Parameters<SignInLog['record']>[0]['outcome']): void =>
    void signIns.record({ ...senderOf(request), ...tried, outcome });
  let begun;
  try {
    begun = await attempts.begin(subjects);
  } catch (error) {
    if (error instanceof AppError) record(error.code === 'rate_limited' ? 'limited' : 'busy');
    throw error;
  }
  try {
    const result = await check();
    await begun.succeeded();
    record('accepted');
    return result;
  } catch (error) {
    const isWrong =
      error instanceof AppError && (error.code === 'unauthorized' || error.code === 'forbidden');
    if (isWrong) {
      await begun.failed();
      record('failed');
      throw error;
    }
    if (error instanceof AppError && error.code === 'unavailable') record('busy');
    // If this fails too, the first error is the one to report, and the attempt counts.
    await begun.end().catch(() => undefined);
    throw error;
  }
}
