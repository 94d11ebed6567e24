import type { Login } from '../../api/generated/schema.ts';

/** Key of this origin's storage under which the token of the login is kept. Cookies alone prove nothing: they ignore ports. */
const TOKEN_KEY = 'touchstone.csrf';

export const readToken = (): string => localStorage.getItem(TOKEN_KEY) ?? '';

export function keepToken(login: Login | null): void {
  if (login === null) localStorage.removeItem(TOKEN_KEY);
  else localStorage.setItem(TOKEN_KEY, login.csrf);
}
