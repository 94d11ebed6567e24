/**
 * The kind of jobs that are done in a lane of their own, with bounds of its own. When a later process has no such lane,
 * they are jobs of the plain kind.
 */
export const queueKind = (kind: string, queue: string): string => `${kind}:${queue}`;

/** The kind without its lane; null = it has none. */
export function plainKind(kind: string): string | null {
  const end = kind.indexOf(':');
  return end < 0 ? null : kind.slice(0, end);
}
