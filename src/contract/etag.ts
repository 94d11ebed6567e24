/** Reports whether a request already has the version `etag` of a response, by its header `If-None-Match`. */
export function hasVersion(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  etag: string,
): boolean {
  const given = [headers['if-none-match'] ?? []].flat().join(',');
  return given.split(',').some((one) => opaque(one) === opaque(etag) || one.trim() === '*');
}

/** Compares as HTTP requires of If-None-Match: a weak tag equals the strong one. */
const opaque = (etag: string): string => etag.trim().replace(/^W\//, '');
