/** Returns a record with the given fields replaced; absent fields keep their values. */
export function applyPatch<T extends object>(
  record: T,
  given: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(changes) };
}
