import { Agent, type Dispatcher, request } from 'undici';
import { JudgeError } from './judge-error.ts';
import { normaliseResponse } from './normalise-response.ts';

const MIB = 2 ** 20;
const DATA = Buffer.from('data:');

type Fetch = typeof globalThis.fetch;

/**
 * Creates the `fetch` of one judge. It connects to any address in the operator's settings, without proxies of the
 * environment, redirects, or responses above 1 MiB. Only the caller's signal limits its time.
 */
export function createJudgeFetch(): Fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return async (address, init) => {
    const signal = init?.signal ?? null;
    try {
      const { statusCode, headers, body } = await request(String(address as string | URL), {
        dispatcher,
        method: 'POST',
        headers: init?.headers as Record<string, string>,
        body: init?.body as string,
        signal,
      });
      const bytes = await readAll(body);
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
