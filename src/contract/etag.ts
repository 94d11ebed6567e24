type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Reports whether a request already has the version `etag` of a response, by its header `If-None-Match`. */
export const hasVersion = (headers: Headers, etag: string): boolean =>
  listed(headers['if-none-match']).some((one) => opaque(one) === opaque(etag) || one === '*');

/**
 * Returns the versions of a record that a request may change, by its header `If-Match`: values of `modifiedAt`; null if
 * it may change any. Weak tags count too, because proxies that compress a response make its tag weak.
 */
export function versionsToChange(headers: Headers): readonly string[] | null {
  const given = headers['if-match'];
  if (given === undefined || given === '') return null;
  const tags = listed(given);
  return tags.includes('*') ? null : tags.map((tag) => opaque(tag).replaceAll('"', ''));
}

/** Request headers of a change to a record. */
export const IF_MATCH = {
  'if-match':
    'The `modifiedAt` of the record that the change was made from, in quotes. If the record has changed since, nothing is changed and the response is 412.',
} as const;
const listed = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Compares as HTTP requires of If-None-Match: a weak tag equals the strong one. */
const opaque = (etag: string): string => etag.trim().replace(/^W\//, '');
