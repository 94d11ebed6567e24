/** Parts of a request that its signature covers, as someone pasted them. */
export interface PastedRequest {
  signature: string;
  /** Text of `x-service-timestamp`. */
  timestamp: string;
  body: string;
}

/**
 * Finds signature, timestamp and body in pasted text: an HTTP request or the output of curl -v, with its headers first, or
 * JSON with the fields `signature`, `timestamp` and `body`, or `headers` and `body`. Parts that are not found are empty.
 */
export function parsePastedRequest(text: string): PastedRequest {
  return fromJson(text) ?? fromHttp(text);
}

const HEADER = /^[<>\s]*(x-service-signature|x-service-timestamp)["']?\s*[:=]\s*["']?([0-9A-Za-z]+)/i;

function fromHttp(text: string): PastedRequest {
  const lines = text.split(/\r?\n/);
  const found = new Map<string, string>();
  let bodyFrom = 0;
  for (const [index, line] of lines.entries()) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    found.set(name.toLowerCase(), value);
    bodyFrom = index + 1;
  }
  const rest = lines.slice(bodyFrom);
  const start = rest.findIndex((line) => line.trimStart().startsWith('{'));
  return {
    signature: found.get('x-service-signature') ?? '',
    timestamp: found.get('x-service-timestamp') ?? '',
    body: start === -1 ? '' : rest.slice(start).join('\n').trim(),
  };
}

function fromJson(text: string): PastedRequest | null {
  const value = parsedJson(text);
  if (!isObject(value) || !('body' in value)) return null;
  const headers = isObject(value['headers']) ? value['headers'] : {};
  const header = (name: string): unknown =>
    Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const { body } = value;
  return {
    signature: textOf(value['signature'] ?? header('x-service-signature')),
    timestamp: textOf(value['timestamp'] ?? header('x-service-timestamp')),
    // A number may lose digits when it is parsed and written again; a text is the body itself.
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** Returns the JSON of a text; undefined if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Returns the JSON of the value that a pointer (RFC 6901) leads to; undefined if there is none. */
export function valueAt(json: string, pointer: string): string | undefined {
  let value = parsedJson(json);
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return JSON.stringify(value);
}

/** Splits two texts into what they share at the beginning, what differs, and what they share at the end. */
export function changedPart(
  sent: string,
  arrived: string,
): { before: string; sent: string; arrived: string; after: string } {
  const shorter = Math.min(sent.length, arrived.length);
  let start = 0;
  while (start < shorter && sent[start] === arrived[start]) start += 1;
  let end = 0;
  while (end < shorter - start && sent.at(-1 - end) === arrived.at(-1 - end)) end += 1;
  return {
    before: sent.slice(0, start),
    sent: sent.slice(start, sent.length - end),
    arrived: arrived.slice(start, arrived.length - end),
    after: sent.slice(sent.length - end),
  };
}
