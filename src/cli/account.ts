import type { ClientSettings } from '../api/client.ts';
import type { Flags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import type { Io } from './io.ts';

const DEFAULT_URL = 'http://127.0.0.1:4318';

/** Flags of the commands that call a server. Each also has a variable, such as `TOUCHSTONE_API_KEY`. */
export const ACCOUNT_FLAGS = ['--url', '--api-key', '--application-id'] as const;
type AccountFlag = (typeof ACCOUNT_FLAGS)[number];

const variableOf = (flag: AccountFlag): string =>
  `TOUCHSTONE_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;

/**
 * Reads the server that `command` calls and the credentials, from flags, else from variables; an empty variable
 * counts as not set. Throws StartupError.
 */
export function readAccount(command: string, flags: Flags, env: Io['env']): ClientSettings {
  const given = (flag: AccountFlag): string => flags.get(flag) ?? env[variableOf(flag)] ?? '';
  const credential = (flag: AccountFlag): string => {
    const variable = variableOf(flag);
    const value = given(flag);
    if (value === '') throw new StartupError(`${command} needs ${variable}, or ${flag}.`);
    // The value is not shown: an invalid key may be nearly the valid one.
    if (!/^[\x21-\x7e]+$/.test(value))
      throw new StartupError(`${variable} (or ${flag}) is not well formed; copy it again, without spaces.`);
    return value;
  };
  return {
    baseUrl: serverAddress(given('--url') || DEFAULT_URL),
    apiKey: credential('--api-key'),
    applicationId: credential('--application-id'),
  };
}

/** Parses an address; `name` is the setting in messages. Throws StartupError. */
export function webAddress(text: string, name: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw new StartupError(`${name} must be an http or https address without a user name and password.`);
}

function serverAddress(text: string): string {
  const { origin, pathname } = webAddress(text, '--url (or TOUCHSTONE_URL)');
  // An exporter accepts the address of its own endpoint in the same variable.
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1\/traces$/, '');
}
