/** Finds a trace id, and a span id if there is one, in what someone pasted; null without a trace id. */
export function readIds(text: string): { traceId: string; spanId: string | null } | null {
  const plain = text.toLowerCase();
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(plain)?.[0];
  const traceId = uuid ?? /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/.exec(plain)?.[0];
  if (traceId === undefined) return null;
  const rest = plain.replace(traceId, ' ');
  return { traceId, spanId: /(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/.exec(rest)?.[0] ?? null };
}
