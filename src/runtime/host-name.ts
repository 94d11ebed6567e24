/** Returns the name in a `Host` header, in lower case and without its port; null when there is none. */
export function hostName(header: string | undefined): string | null {
  const name = URL.parse(`http://${header ?? ''}`)
    ?.hostname.replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return name === undefined || name === '' ? null : name;
}
