import { context, diag } from '@opentelemetry/api';
import { Reporter } from './reporter.ts';
import { environment, hasRequestBoundIo } from './runtime.ts';
import { withTest } from './test-context.ts';
import { NO_SPANS_REMEDY, testSpanCount } from './test-spans.ts';
import { readDelivery } from './webhook-body.ts';
import { contextOf } from './webhook-context.ts';
import { Deliveries } from './webhook-deliveries.ts';
import { notHandled, WebhookError } from './webhook-error.ts';
import { type Flushable, SpanFlush } from './webhook-flush.ts';
import { readTest, type WebhookTest } from './webhook-payload.ts';
import { checkSignature, keyOf } from './webhook-signature.ts';
import { type ApiOptions, serverCheck } from './webhook-validation.ts';

/** Options of a webhook, with either `secret` or `validate`. */
export interface WebhookOptions extends ApiOptions {
  /** The `whsec_…` secret of the application's webhook; both of them while it is being rotated. */
  secret?: string | readonly string[] | undefined;
  /** `'api'`: the Touchstone server at `url` checks the signatures, so that the app needs no secret. */
  validate?: 'api' | undefined;
  /** The app. What it returns does not matter: the test is judged by its spans. When it throws, the test has failed. */
  run: (test: WebhookTest) => unknown;
  /** Spans to flush before the response. Default: the app's tracer provider. */
  touchstone?: Flushable | undefined;
  /** Time in milliseconds that the flush may delay the response; later spans still count. Default: 10 000. */
  flushTimeoutMs?: number | undefined;
  /**
   * Largest difference between the timestamp of a delivery and now, in milliseconds; with `validate` the server
   * decides. Default: 300 000.
   */
  toleranceMs?: number | undefined;
  /** Default: 1 MiB. */
  maxBodyBytes?: number | undefined;
  /**
   * Called with the error that `run` threw, with lost spans, or when the server cannot verify signatures. Default:
   * `diag`, and at most one line a minute on standard error.
   */
  onError?: ((error: unknown, test?: WebhookTest) => void) | undefined;
}

/**
 * A handler as fetch-API servers call it, Hono and Next.js among them. It never rejects. A `host` with `waitUntil`, as the one of
 * Cloudflare Workers, keeps the test running when its sender disconnects.
 */
export type WebhookHandler = (request: Request, host?: unknown) => Promise<Response>;

const MAX_REASON = 500;

/**
 * The customer's side of tests by webhook. Runs the app once for each delivery that Touchstone signed, as a part of
 * the test and of the delivery's trace, and answers 200 when its spans are stored, 500 when the app threw.
 * Throws when it is given neither or both of `secret` and `validate`, or a value that can't be.
 */
export function createWebhookHandler(options: WebhookOptions): WebhookHandler {
  const { run } = options;
  const verify = verifierOf(options);
  const maxBodyBytes = positive('maxBodyBytes', options.maxBodyBytes, 1_048_576);
  const reporter = new Reporter(options, environment());
  const flushTimeoutMs = positive('flushTimeoutMs', options.flushTimeoutMs, 10_000);
  const onError = options.onError ?? ((error, test) => tell(error, test, reporter));
  const flush = new SpanFlush(options.touchstone, flushTimeoutMs, reporter);
  const deliveries = new Deliveries({ sharesRuns: !hasRequestBoundIo() });

  const report = (failure: unknown, test?: RunnableTest): void => {
    const call = async (): Promise<void> => onError(failure, test && { ...test, context: context.active() });
    void call().catch(() => diag.error('touchstone: onError threw'));
  };

  const runTest = async (test: RunnableTest, headers: Headers): Promise<void> => {
    reporter.step(`test ${test.testId}: starts`);
    const flushSpans = flush.start();
    const spansBefore = testSpanCount();
    const inTest = async (): Promise<unknown> =>
      withTest(test.testId, (active) => run({ ...test, context: active }));
    const [ran] = await Promise.allSettled([context.with(contextOf(headers), inTest)]);
    if (ran.status === 'fulfilled' && spansBefore !== null && testSpanCount() === spansBefore) {
      reporter.notice(`the app started no span in test ${test.testId}. ${NO_SPANS_REMEDY}`);
    }
    const [flushed] = await Promise.allSettled([flushSpans()]);
    const failed = [ran, flushed].find((one) => one.status === 'rejected');
    reporter.step(`test ${test.testId}: ${failed ? messageOf(failed.reason) : 'succeeded'}`);
    if (!failed) return;
    report(failed.reason, test);
    throw new WebhookError(500, messageOf(failed.reason));
  };

  const handle = async (request: Request): Promise<void> => {
    const { headers } = request;
    const body = await readDelivery(request, maxBodyBytes);
    const signedId = await verify(headers, body);
    const test = readTest(body);
    await deliveries.once(signedId ?? test.testId, request, (signal) =>
      runTest({ ...test, signal }, headers),
    );
  };

  return async (request, host) => {
    try {
      const handled = handle(request);
      keepAlive(host, handled);
      await handled;
      return Response.json({ ok: true });
    } catch (error) {
      const rejection = error instanceof WebhookError ? error : notHandled();
      if (error !== rejection || rejection.status === 503) report(error);
      if (rejection.status === 401) {
        const remedy =
          'Check that the secret is the latest one of the webhook, and the clock of this machine.';
        reporter.notice(`rejected a delivery: ${rejection.message}. ${remedy}`);
      }
      reporter.step(`answers a delivery with ${rejection.status}: ${rejection.message}`);
      return rejection.toResponse();
    }
  };
}

/** A test before it has a context. */
type RunnableTest = Omit<WebhookTest, 'context'>;

function keepAlive(host: unknown, handled: Promise<void>): void {
  const { waitUntil } = (host ?? {}) as { waitUntil?: unknown };
  if (typeof waitUntil === 'function')
    Reflect.apply(waitUntil, host, [
      handled.catch(() => {
        // The response reports it.
      }),
    ]);
}

type Verify = (headers: Headers, body: Uint8Array<ArrayBuffer>) => Promise<string | undefined>;

function verifierOf({ secret, validate, toleranceMs: given, ...api }: WebhookOptions): Verify {
  const secrets = secret === undefined ? [] : [secret].flat();
  if (secrets.length > 0 === (validate === 'api')) {
    throw new TypeError("createWebhookHandler() takes either a `secret` or `validate: 'api'`");
  }
  if (secrets.length === 0) return serverCheck(api, environment());
  const toleranceMs = positive('toleranceMs', given, 300_000);
  const keys = secrets.map(keyOf);
  return async (headers, body) => checkSignature(headers, body, { keys, toleranceMs });
}

function positive(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (value > 0 && value <= 2 ** 31 - 1) return value;
  throw new TypeError(`${name} must be a number above 0 and below 2^31`);
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : error;
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_REASON) : 'The app failed';
}

/** Reports an error that no `onError` of the app takes. */
function tell(error: unknown, test: WebhookTest | undefined, reporter: Reporter): void {
  const text = `${test ? `test ${test.testId}` : 'a delivery'} failed: ${messageOf(error)}`;
  diag.error(`touchstone: ${text}`);
  reporter.notice(text);
}
