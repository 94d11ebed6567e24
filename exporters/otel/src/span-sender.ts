import { context, diag } from '@opentelemetry/api';
import { ByteLimit } from './byte-limit.ts';
import { concat } from './bytes.ts';
import { deliver } from './delivery.ts';
import { encodeSpans } from './encode.ts';
import { ExportError, rejection, webPage } from './failure.ts';
import { type Redact, redactSpan } from './redact.ts';
import type { Reporter } from './reporter.ts';
import type { ExporterSettings } from './settings.ts';
import { hasRequestBoundIo } from './runtime.ts';
import { shortenSpan } from './shorten.ts';
import { type SizedSpan, sizedSpan } from './size.ts';
import type { HttpResponse, Transport } from './transport.ts';
import { UNTRACED } from './untraced.ts';

/** Numbers of spans by what became of them. They add up to those that were sent. */
export interface Outcome {
  exported: number;
  /** Rejected by the server, which accepted the rest of their request. */
  rejected: number;
  /** The server's message about rejected spans. */
  message: string;
  failed: number;
  /** Reason why the last ones failed. */
  error: ExportError | undefined;
}

/** Sizes in bytes to which a span is shortened that the server finds too large, one after the other. */
const SHORTENED_BYTES = [2 ** 20, 2 ** 17];

/** Bytes of bodies before compression that are in memory at once. */
const MAX_BODY_BYTES = 8 * 2 ** 20;

/** Sends spans to a Touchstone server by OTLP/HTTP in JSON. */
export class SpanSender {
  readonly #settings: ExporterSettings;
  readonly #redact: Redact | undefined;
  readonly #reporter: Reporter;
  readonly #http: Transport;
  // Where requests own their timers, one that ends while it makes a body would never give its place back. The queue has a limit there too.
  readonly #bodies = new ByteLimit(hasRequestBoundIo() ? Infinity : MAX_BODY_BYTES);

  constructor(
    settings: ExporterSettings,
    { redact, reporter, http }: { redact?: Redact | undefined; reporter: Reporter; http: Transport },
  ) {
    this.#settings = settings;
    this.#redact = redact;
    this.#reporter = reporter;
    this.#http = http;
  }

  /**
   * Sends spans in one request; in several where the server finds it too large, or where a span cannot be serialised.
   * Never rejects.
   */
  async send(spans: readonly SizedSpan[]): Promise<Outcome> {
    try {
      const response = await this.#post(spans);
      if (response.status !== 413) return this.#outcomeOf(response, spans.length);
      if (spans.length > 1) return await this.#sendHalves(spans);
      return await this.#sendShortened(spans[0] as SizedSpan, response);
    } catch (error) {
      if (error instanceof ExportError) return allFailed(spans.length, error);
      // A getter or a value of one span threw: the others are sent without it.
      if (spans.length > 1) return this.#sendHalves(spans);
      return allFailed(
        1,
        new ExportError(`it cannot be serialised (${textOf(error)})`, 'Check its attributes.'),
      );
    }
  }

  close(): void {
    this.#http.close();
  }

  async #sendHalves(spans: readonly SizedSpan[]): Promise<Outcome> {
    const middle = Math.ceil(spans.length / 2);
    const first = await this.send(spans.slice(0, middle));
    const rest = spans.slice(middle);
    // The other half would only wait as long for no response.
    return merge(first, first.error?.isSilence ? allFailed(rest.length, first.error) : await this.send(rest));
  }

  async #sendShortened({ span }: SizedSpan, tooLarge: HttpResponse): Promise<Outcome> {
    let response = tooLarge;
    // Before the truncation, which may leave a part of a text that the hook would not recognise.
    const redacted = this.#redact ? redactSpan(span, this.#redact) : span;
    for (const bytes of SHORTENED_BYTES) {
      const shortened = shortenSpan(redacted, bytes);
      if (!shortened) break;
      response = await this.#post([sizedSpan(shortened)], { isRedacted: true });
      if (response.status === 413) continue;
      const text = `the server found the span "${span.name.slice(0, 64)}" too large; its longest texts were truncated`;
      diag.warn(`touchstone: ${text}`);
      this.#reporter.notice(`${text}. ${TOO_LARGE_REMEDY}`);
      break;
    }
    return this.#outcomeOf(response, 1);
  }

  async #post(
    spans: readonly SizedSpan[],
    { isRedacted = false }: { isRedacted?: boolean } = {},
  ): Promise<HttpResponse> {
    const { url, headers, timeoutMillis } = this.#settings;
    if (url === undefined) {
      throw new ExportError(
        'the exporter has no valid url',
        'Set TOUCHSTONE_URL to the address of the server.',
      );
    }
    const body = await this.#bodyOf(spans, isRedacted ? undefined : this.#redact);
    const encoding: Record<string, string> = this.#gzip ? { 'content-encoding': 'gzip' } : {};
    const delivery = {
      url: new URL(url),
      headers: { ...headers, 'content-type': 'application/json', ...encoding },
      body,
      timeoutMillis,
    };
    return context.with(UNTRACED, () => deliver(this.#http, delivery));
  }

  #bodyOf(spans: readonly SizedSpan[], redact: Redact | undefined): Promise<Uint8Array> {
    const bytes = spans.reduce((sum, { size }) => sum + size, 0);
    return this.#bodies.run(bytes, async () => {
      const json = await encodeSpans(spans, redact);
      return this.#gzip ? this.#gzip(json) : concat(json);
    });
  }

  get #gzip(): Transport['gzip'] {
    return this.#settings.compression === 'gzip' ? this.#http.gzip : null;
  }

  #outcomeOf(response: HttpResponse, spans: number): Outcome {
    if (response.status < 200 || response.status > 299)
      return allFailed(spans, rejection(response, this.#settings));
    if (/^text\/html\b/i.test(String(response.headers['content-type'] ?? '')))
      return allFailed(spans, webPage());
    const { rejectedSpans, message } = partialSuccessOf(response.body);
    const rejected = Math.min(rejectedSpans, spans);
    return { exported: spans - rejected, rejected, message, failed: 0, error: undefined };
  }
}

const TOO_LARGE_REMEDY = 'Shorten its texts, or raise TOUCHSTONE_MAX_BODY_BYTES of the server.';

/** Returns the outcome of spans none of which was stored. */
export const allFailed = (spans: number, error: ExportError): Outcome => ({
  exported: 0,
  rejected: 0,
  message: '',
  failed: spans,
  error,
});

const merge = (a: Outcome, b: Outcome): Outcome => ({
  exported: a.exported + b.exported,
  rejected: a.rejected + b.rejected,
  message: b.message || a.message,
  failed: a.failed + b.failed,
  error: b.error ?? a.error,
});

/** Reads which spans the server rejected (ExportTraceServiceResponse of OTLP). A body that is not JSON names none. */
function partialSuccessOf(body: string): { rejectedSpans: number; message: string } {
  try {
    const { partialSuccess } = JSON.parse(body) as {
      partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown };
    };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    const message = partialSuccess?.errorMessage;
    return {
      rejectedSpans: Number.isInteger(rejected) && rejected > 0 ? rejected : 0,
      message: typeof message === 'string' ? message.slice(0, 500) : '',
    };
  } catch {
    return { rejectedSpans: 0, message: '' };
  }
}

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);
