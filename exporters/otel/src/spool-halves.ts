import { readAtMost, utf8 } from './bytes.ts';
import type { Batch } from './spool.ts';

/** Largest body that is divided, in bytes before compression: requests are smaller. */
const MAX_BYTES = 64 * 2 ** 20;

/** The members of an ExportTraceServiceRequest in OTLP/JSON that are needed to divide it. */
interface Request {
  resourceSpans: { scopeSpans: { spans: unknown[] }[] }[];
}

/** Divides a batch in OTLP/JSON. Returns undefined if that is not possible. */
export async function halvesOf(batch: Batch): Promise<[Batch, Batch] | undefined> {
  if (batch.spans < 2 || batch.headers['content-type'] !== 'application/json') return undefined;
  try {
    const request = JSON.parse(await textOf(batch)) as Request;
    const middle = Math.ceil(batch.spans / 2);
    const first = partOf(request, 0, middle);
    const second = partOf(request, middle, batch.spans);
    return [batchOf(first, middle), batchOf(second, batch.spans - middle)];
  } catch {
    return undefined;
  }
}

async function textOf({ body, headers }: Batch): Promise<string> {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return new TextDecoder().decode(body);
  const inflated = new Blob([body as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream(encoding as 'gzip'));
  const bytes = await readAtMost(MAX_BYTES, inflated);
  if (!bytes) throw new Error('too large');
  return new TextDecoder().decode(bytes);
}

/** Returns a request with the spans from one place to another. */
function partOf(request: Request, from: number, to: number): Request {
  let place = 0;
  const resourceSpans = request.resourceSpans.map((ofResource) => ({
    ...ofResource,
    scopeSpans: ofResource.scopeSpans
      .map((ofScope) => {
        const start = place;
        place += ofScope.spans.length;
        return { ...ofScope, spans: ofScope.spans.slice(Math.max(0, from - start), Math.max(0, to - start)) };
      })
      .filter(({ spans }) => spans.length > 0),
  }));
  return { ...request, resourceSpans: resourceSpans.filter(({ scopeSpans }) => scopeSpans.length > 0) };
}

const batchOf = (request: Request, spans: number): Batch => ({
  body: utf8(JSON.stringify(request)),
  headers: { 'content-type': 'application/json' },
  spans,
});
