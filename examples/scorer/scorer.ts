// A scorer without any package: which numbers of the output occur in what the app has read?
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';

const MAX_BODY = 4 * 1_048_576;
const TOLERANCE_SECONDS = 300;
const { PORT = '8090', TOUCHSTONE_WEBHOOK_SECRET = '' } = process.env;

interface Test {
  input: unknown;
  output: unknown;
  toolCalls: unknown[];
  documents: unknown[];
}

type Answer = { score: number; reason: string; results: object } | { skip: string };

/** Stands for your own measure. */
function score({ input, output, toolCalls, documents }: Test): Answer {
  const numbers = numbersIn(output);
  if (numbers.length === 0) return { skip: 'the output has no number' };
  const known = new Set(numbersIn([input, toolCalls, documents]));
  const missing = numbers.filter((number) => !known.has(number));
  const found = numbers.length - missing.length;
  return {
    score: found / numbers.length,
    reason: `${found} of ${numbers.length} numbers are in the documents`,
    results: { missing },
  };
}

const numbersIn = (value: unknown): string[] => JSON.stringify(value).match(/\d+(?:\.\d+)?/g) ?? [];

/** Checks the signature of Standard Webhooks, over the body as it arrived. */
function isFromTouchstone(headers: IncomingMessage['headers'], raw: Buffer): boolean {
  const id = String(headers['webhook-id']);
  const sentAt = String(headers['webhook-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - Number(sentAt)) < TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(TOUCHSTONE_WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const hash = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(raw).digest('base64');
  const expected = Buffer.from(`v1,${hash}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

/** Reads a body; null when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function answer(request: IncomingMessage): Promise<[status: number, body: object]> {
  const raw = await bodyOf(request);
  if (raw === null) return [413, { error: 'the body is too large' }];
  if (!isFromTouchstone(request.headers, raw)) return [401, { error: 'the signature is not valid' }];
  return [200, score(JSON.parse(raw.toString()) as Test)];
}

const server = createServer((request, response) => {
  void answer(request)
    .catch((error: unknown): [number, object] => [500, { error: String(error) }])
    .then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${PORT}`));
