/** A record with the fields that were given; those that were left out stay as they are. */
export function applyPatch<T extends object>(
  record: T,
  given: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(changes) };
}
