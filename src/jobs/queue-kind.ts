/**
 * Returns the kind of jobs that have a queue of their own, with its own limits. A later process without that
 * queue runs them as jobs of the plain kind.
 */
export const queueKind = (kind: string, queue: string): string => `${kind}:${queue}`;

/** Returns the kind without its queue; null when it has none. */
export function plainKind(kind: string): string | null {
  const end = kind.indexOf(':');
  return end < 0 ? null : kind.slice(0, end);
}
