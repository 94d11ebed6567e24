/** Returns the JSON pointer (RFC 6901) of a path; the empty text for the complete document. */
export function jsonPointer(path: readonly string[]): string {
  return path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
