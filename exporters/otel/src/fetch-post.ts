import { context } from '@opentelemetry/api';
import { concat, readAtMost } from './bytes.ts';
import { isPageHidden } from './page-end.ts';
import { type HttpRequest, type HttpResponse, MAX_RESPONSE_BYTES, type Transport } from './transport.ts';
import { UNTRACED } from './untraced.ts';

/** Browsers reject a request with `keepalive` whose body is larger. */
const MAX_KEEPALIVE_BYTES = 60_000;

/** Sends POST requests with the `fetch` of the runtime. */
export class FetchPost implements Transport {
  readonly gzip = canCompress() ? compress : null;

  async send(url: URL, { headers, body, signal }: HttpRequest): Promise<HttpResponse> {
    // Where no context lasts through `await`, each request must be untraced by itself.
    const response = await context.with(UNTRACED, () =>
      fetch(url, {
        method: 'POST',
        headers,
        body: body as Uint8Array<ArrayBuffer>,
        signal,
        // To another origin the key must not be sent.
        redirect: 'manual',
        // A hidden page may end before the response.
        ...(isPageHidden() && body.byteLength <= MAX_KEEPALIVE_BYTES && { keepalive: true }),
      }),
    );
    // The response of a browser that must not follow a redirect says nothing about it.
    if (response.type === 'opaqueredirect') throw new TypeError('the server redirects to another address');
    const text = await readAtMost(MAX_RESPONSE_BYTES, response.body);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text ? new TextDecoder().decode(text) : '',
    };
  }

  close(): void {}
}

function canCompress(): boolean {
  try {
    return new CompressionStream('gzip') instanceof CompressionStream;
  } catch {
    return false;
  }
}

async function compress(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  const gzip = new CompressionStream('gzip');
  const writer = gzip.writable.getWriter();
  const written = writer.write(concat(pieces)).then(() => writer.close());
  const [compressed] = await Promise.all([readAtMost(Infinity, gzip.readable), written]);
  return compressed ?? new Uint8Array();
}
