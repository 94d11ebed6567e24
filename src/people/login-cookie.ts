import { KNOWN_MS } from './browser-store.ts';
import { LONGEST_MS } from './login-store.ts';
import { isToken } from './tokens.ts';

/** A cookie with a random token. */
export interface Cookie {
  name: string;
  /** Returns the token in a `Cookie` header; null when it has none. */
  read: (header: string | string[] | undefined) => string | null;
  /** Returns the `Set-Cookie` header that stores a token. */
  set: (token: string) => string;
  /** Returns the `Set-Cookie` header that deletes the token. */
  clear: () => string;
}

type Settings = { publicUrl: string | null };

/** The cookie of a login. */
export const createLoginCookie = (settings: Settings): Cookie =>
  createCookie('touchstone_login', LONGEST_MS, settings);

/** The cookie of a browser with which someone signed in, which outlasts the login. It allows nothing by itself. */
export const createBrowserCookie = (settings: Settings): Cookie =>
  createCookie('touchstone_browser', KNOWN_MS, settings);

/**
 * `__Host-` binds the cookie to one host, and requires https and the path `/`. Below another path of a host, whose other
 * pages must not receive the cookie, `__Secure-` requires https.
 */
function createCookie(plainName: string, ageMs: number, { publicUrl }: Settings): Cookie {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  const path = publicUrl === null ? '/' : new URL(publicUrl).pathname;
  const prefix = path === '/' ? '__Host-' : '__Secure-';
  const name = `${isSecure ? prefix : ''}${plainName}`;
  const attributes = `HttpOnly; SameSite=Strict; Path=${path}${isSecure ? '; Secure' : ''}`;
  return {
    name,
    read: (header) => {
      const parts = [header ?? []].flat().flatMap((text) => text.split(';'));
      const pairs = parts.map((part) => part.trim().split('='));
      const token = pairs.find(([key]) => key === name)?.[1] ?? '';
      return isToken(token) ? token : null;
    },
    set: (token) => `${name}=${token}; ${attributes}; Max-Age=${ageMs / 1_000}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
