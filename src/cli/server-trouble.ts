const MAX_CHARACTERS = 400;

/** Reports whether the same call may have more success later. */
export const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** A sentence for what the server at `url` has refused; `message` is what it said. */
export const rejectedText = (url: string, status: number, message: string): string =>
  `${url} answered ${status}: ${printable(message).replace(/\.?$/, '.')}`;

/** A sentence for an answer that was none of Touchstone. */
export const strangerText = (url: string): string =>
  `${url} seems to be no Touchstone server; check --url (or TOUCHSTONE_URL).`;

/** A sentence for a call that `fetch` could not make. */
export function unreachableText(url: string, error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return `${url} cannot be reached${code && ` (${code})`}; check --url (or TOUCHSTONE_URL), and that the server runs.`;
}

/** Text of somebody else, so that it cannot steer a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, MAX_CHARACTERS);
