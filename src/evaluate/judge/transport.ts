import { Agent, type Dispatcher, request } from 'undici';
import { maskSecret } from '../../runtime/mask.ts';
import { JudgeError } from './judge-error.ts';
import { normaliseResponse } from './normalise-response.ts';
import type { JudgeSettings } from './settings.ts';

const MIB = 2 ** 20;
const DATA = Buffer.from('data:');

type Fetch = typeof globalThis.fetch;

/**
 * Creates the `fetch` of one judge. It connects to any address in the operator's settings, without proxies of the
 * environment, redirects, or responses above 1 MiB. Only the caller's signal limits its time. Adds the headers, the query and the
 * fields of the body that the settings have, and masks the values of the headers in responses.
 */
export function createJudgeFetch({
  headers: more,
  query,
  body: fields,
}: Pick<JudgeSettings, 'headers' | 'query' | 'body'>): Fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return async (address, init) => {
    const signal = init?.signal ?? null;
    try {
      const url = new URL(address as string | URL);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const { statusCode, headers, body } = await request(url, {
        dispatcher,
        method: 'POST',
        headers: withHeaders(init?.headers as Record<string, string>, more),
        body: url.pathname.endsWith('/embeddings')
          ? (init?.body as string)
          : withFields(init?.body as string, fields),
        signal,
      });
      const bytes = masked(await readAll(body), Object.values(more));
      checkNotStreamed(statusCode, headers['content-type'], bytes);
      const { status, body: text } =
        statusCode === 200 ? normaliseResponse(bytes.toString('utf8')) : { status: statusCode, body: bytes };
      return new Response(text, { status, headers: headersOf(headers) });
    } catch (error) {
      if (error instanceof JudgeError || signal?.aborted) throw error;
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      throw new JudgeError('judge_unreachable', `the connection failed (${code})`, { isPassing: true });
    }
  };
}

/** Returns the headers of a request with those of the settings, whose names may be spelled otherwise. */
function withHeaders(
  headers: Readonly<Record<string, string>>,
  more: JudgeSettings['headers'],
): Record<string, string> {
  const lower = (given: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries([...lower(headers), ...lower(more)]);
}

const withFields = (body: string, fields: JudgeSettings['body']): string =>
  Object.keys(fields).length === 0
    ? body
    : JSON.stringify({ ...(JSON.parse(body) as Record<string, unknown>), ...fields });

/** Masks secrets in a response, which may repeat its request. */
function masked(bytes: Buffer, secrets: readonly string[]): Buffer {
  if (secrets.length === 0) return bytes;
  const text = bytes.toString('utf8');
  return Buffer.from(secrets.reduce((left, secret) => maskSecret(left, secret), text));
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MIB) throw new JudgeError('judge_bad_answer', 'the response is longer than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Rejects a response that is sent in events although the request did not allow it. */
function checkNotStreamed(status: number, contentType: string | string[] | undefined, bytes: Buffer): void {
  const isStream = String(contentType).startsWith('text/event-stream') || bytes.subarray(0, 5).equals(DATA);
  if (status === 200 && isStream)
    throw new JudgeError(
      'judge_bad_answer',
      'the endpoint streams its response, which was not requested; use an endpoint or a setting of it that responds with one JSON object',
    );
}

const headersOf = (headers: Dispatcher.ResponseData['headers']): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
