/** The application that the arguments of a call name, on their own or as the owner; null = the call belongs to none. */
export function applicationOf(args: unknown): number | null {
  if (typeof args !== 'object' || args === null) return null;
  const { application, owner } = args as { application?: unknown; owner?: { application?: unknown } | null };
  if (typeof application === 'number') return application;
  return typeof owner?.application === 'number' ? owner.application : null;
}
