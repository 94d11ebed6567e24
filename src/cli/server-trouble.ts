const MAX_CHARACTERS = 400;

/** Reports whether a retry of the same call may succeed. */
export const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Describes a rejection by the server at `url` in one sentence; `message` is the server's. */
export const rejectedText = (url: string, status: number, message: string): string =>
  `${url} answered ${status}: ${printable(message).replace(/\.?$/, '.')}`;

/** Describes a response that is not from a Touchstone server. */
export const strangerText = (url: string): string =>
  `${url} does not seem to be a Touchstone server; check --url (or TOUCHSTONE_URL).`;

/** Describes a call that `fetch` could not make. */
export function unreachableText(url: string, error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return `${url} cannot be reached${code && ` (${code})`}; check --url (or TOUCHSTONE_URL), and that the server runs.`;
}

/** Removes control characters of an untrusted text, so that it cannot control a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, MAX_CHARACTERS);

/** Replaces what could control a terminal in a text of several lines. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '\uFFFD');
