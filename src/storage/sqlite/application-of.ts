/**
 * Returns the application in the arguments of a call, as a field or as the owner; null when the call belongs to none.
 */
export function applicationOf(args: unknown): number | null {
  if (typeof args !== 'object' || args === null) return null;
  const { application, owner } = args as { application?: unknown; owner?: { application?: unknown } | null };
  if (typeof application === 'number') return application;
  return typeof owner?.application === 'number' ? owner.application : null;
}
