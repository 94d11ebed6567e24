import { context, diag } from '@opentelemetry/api';
import { ByteLimit } from './byte-limit.ts';
import { concat } from './bytes.ts';
import { deliver } from './delivery.ts';
import { encodeSpans } from './encode.ts';
import { ExportError, isOfInvalidSpan, mayBeAcceptedLater, rejection, webPage } from './failure.ts';
import { allFailed, merge, type Outcome } from './outcome.ts';
import { type Redact, redactSpan } from './redact.ts';
import type { Reporter } from './reporter.ts';
import type { ExporterSettings } from './settings.ts';
import { hasRequestBoundIo } from './runtime.ts';
import { shortenSpan } from './shorten.ts';
import { type SizedSpan, sizedSpan } from './size.ts';
import { type Batch, Spool, type SpoolFolder } from './spool.ts';
import type { HttpResponse, Transport } from './transport.ts';
import { UNTRACED } from './untraced.ts';

/** Sizes in bytes to which a span is shortened that the server finds too large, one after the other. */
const SHORTENED_BYTES = [2 ** 20, 2 ** 17];

/** Requests that are made of one in which the server accepts nothing because of some of its spans. */
const MAX_DIVISIONS = 32;

/** Bytes of bodies before compression that are in memory at once. */
const MAX_BODY_BYTES = 8 * 2 ** 20;

/** Parts of a sender. */
export interface SenderParts {
  redact?: Redact | undefined;
  reporter: Reporter;
  http: Transport;
  /** Folder in which batches are kept; undefined for none. */
  folder?: SpoolFolder | undefined;
  /** Called when spans that are being sent are in the spool. */
  kept: () => void;
  /** Counts spans that waited in the spool: those of this process, or of earlier ones. */
  countSpooled: (outcome: Outcome, isOwn: boolean) => void;
}

/** Sends spans to a Touchstone server by OTLP/HTTP in JSON. */
export class SpanSender {
  readonly #settings: ExporterSettings;
  readonly #redact: Redact | undefined;
  readonly #reporter: Reporter;
  readonly #http: Transport;
  readonly #spool: Spool | undefined;
  // Where requests own their timers, one that ends while it makes a body would never give its place back. The queue has a limit there too.
  readonly #bodies = new ByteLimit(hasRequestBoundIo() ? Infinity : MAX_BODY_BYTES);

  constructor(
    settings: ExporterSettings,
    { redact, reporter, http, folder, kept, countSpooled }: SenderParts,
  ) {
    this.#settings = settings;
    this.#redact = redact;
    this.#reporter = reporter;
    this.#http = http;
    this.#spool =
      folder &&
      new Spool(folder, {
        reporter,
        deliver: (batch) => this.#deliverOrKeep(batch),
        outcomeOf: (response, spans) => this.#outcomeOf(response, spans),
        kept,
        count: countSpooled,
      });
  }

  get spool(): Spool | undefined {
    return this.#spool;
  }

  /**
   * Sends spans in one request; in several where the server finds it too large or a span in it invalid, or where a span cannot be
   * serialised. Never rejects.
   */
  async send(spans: readonly SizedSpan[], divisions = { left: MAX_DIVISIONS }): Promise<Outcome> {
    try {
      return await this.#post(spans, (response) => {
        const isTooLarge = response.status === 413;
        if (spans.length > 1 && (isTooLarge || (isOfInvalidSpan(response) && divisions.left > 0))) {
          if (!isTooLarge) divisions.left -= 2;
          return this.#sendHalves(spans, divisions);
        }
        if (isTooLarge) return this.#sendShortened(spans[0] as SizedSpan, response);
        return this.#outcomeOf(response, spans.length);
      });
    } catch (error) {
      if (error instanceof ExportError) return allFailed(spans.length, error);
      // A getter or a value of one span threw: the others are sent without it.
      if (spans.length > 1) return this.#sendHalves(spans, divisions);
      return allFailed(
        1,
        new ExportError(`it cannot be serialised (${textOf(error)})`, 'Check its attributes.'),
      );
    }
  }

  close(): void {
    this.#spool?.close();
    this.#http.close();
  }

  async #sendHalves(spans: readonly SizedSpan[], divisions: { left: number }): Promise<Outcome> {
    const middle = Math.ceil(spans.length / 2);
    const first = await this.send(spans.slice(0, middle), divisions);
    const rest = spans.slice(middle);
    // The other half would only wait as long for no response.
    const isOver = !this.#spool && first.error?.isSilence;
    return merge(
      first,
      isOver && first.error ? allFailed(rest.length, first.error) : await this.send(rest, divisions),
    );
  }

  async #sendShortened({ span }: SizedSpan, tooLarge: HttpResponse): Promise<Outcome> {
    let outcome = this.#outcomeOf(tooLarge, 1);
    // Before the truncation, which may leave a part of a text that the hook would not recognise.
    const redacted = this.#redact ? redactSpan(span, this.#redact) : span;
    for (const bytes of SHORTENED_BYTES) {
      const shortened = shortenSpan(redacted, bytes);
      if (!shortened) break;
      let isTooLarge = false;
      const settle = (response: HttpResponse): Outcome => {
        isTooLarge = response.status === 413;
        return this.#outcomeOf(response, 1);
      };
      outcome = await this.#post([sizedSpan(shortened)], settle, { isRedacted: true });
      if (isTooLarge) continue;
      const text = `the server found the span "${span.name.slice(0, 64)}" too large; its longest texts were truncated`;
      diag.warn(`touchstone: ${text}`);
      this.#reporter.notice(`${text}. ${TOO_LARGE_REMEDY}`);
      break;
    }
    return outcome;
  }

  async #post(
    spans: readonly SizedSpan[],
    settle: (response: HttpResponse) => Outcome | Promise<Outcome>,
    { isRedacted = false }: { isRedacted?: boolean } = {},
  ): Promise<Outcome> {
    const body = await this.#bodyOf(spans, isRedacted ? undefined : this.#redact);
    const batch: Batch = {
      body,
      headers: { 'content-type': 'application/json', ...(this.#gzip && { 'content-encoding': 'gzip' }) },
      spans: spans.length,
    };
    return this.#spool ? this.#spool.post(batch, settle) : settle(await this.#deliver(batch));
  }

  async #deliver({ body, headers }: Batch): Promise<HttpResponse> {
    const { url, headers: own, timeoutMillis } = this.#settings;
    if (url === undefined) {
      throw new ExportError(
        'the exporter has no valid url',
        'Set TOUCHSTONE_URL to the address of the server.',
      );
    }
    const delivery = { url: new URL(url), headers: { ...own, ...headers }, body, timeoutMillis };
    return context.with(UNTRACED, () => deliver(this.#http, delivery));
  }

  /** Returns an error where the batch may be accepted later. */
  async #deliverOrKeep(batch: Batch): Promise<HttpResponse | ExportError> {
    try {
      const response = await this.#deliver(batch);
      if (mayBeAcceptedLater(response)) return rejection(response, this.#settings);
      return isWebPage(response) ? webPage() : response;
    } catch (error) {
      if (error instanceof ExportError) return error;
      throw error;
    }
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
    if (isWebPage(response)) return allFailed(spans, webPage());
    const { rejectedSpans, message } = partialSuccessOf(response.body);
    const rejected = Math.min(rejectedSpans, spans);
    return { exported: spans - rejected, rejected, message, failed: 0, spooled: 0, error: undefined };
  }
}

const TOO_LARGE_REMEDY = 'Shorten its texts, or raise TOUCHSTONE_MAX_BODY_BYTES of the server.';

const isWebPage = ({ headers }: HttpResponse): boolean =>
  /^text\/html\b/i.test(String(headers['content-type'] ?? ''));

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
