/** Mistakes of a first hour: how each is made, what both packages then write to standard error, and what helps. */

/** Programs that `apps.ts` has in both languages. */
export type Program =
  | 'app'
  | 'no-register'
  | 'two-providers'
  | 'sampled-out'
  | 'never-flushed'
  | 'two-apis'
  | 'webhook';

export interface Mistake {
  mistake: string;
  program: Program;
  env?: Readonly<Record<string, string>>;
  /** Lines of standard error without the name in front; null where the mistake cannot be made in this language. */
  javascript: string | null;
  python: string | null;
  help: string;
}

/** An address at which nothing listens. */
export const NOWHERE = 'http://127.0.0.1:1';

const WRONG_PATH =
  '1 span was lost: HTTP 404 from URL (There is no /collector/v1/traces. Did you mean POST /v1/traces? Exporters of OpenTelemetry append it themselves: set OTEL_EXPORTER_OTLP_ENDPOINT to the address of the server without a path). Check TOUCHSTONE_URL.';
const CHECK =
  'Check TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID: the key must be valid for the application.';
const WRONG_KEY = `1 span was lost: HTTP 401 from URL (The API key is not valid). ${CHECK}`;
const OTHER_KEY = `1 span was lost: HTTP 403 from URL (The API key does not belong to the application in x-application-id). ${CHECK}`;
const WEB_PAGE =
  '1 span was lost: a web page came back, so another service answers at that address. Set TOUCHSTONE_URL to the address of the server.';
const KEYS_HELP =
  '`touchstone keys list` shows the keys of each application, `touchstone keys create` makes one.';

/** `URL` stands for the server, `PAGE` for a web server, `OTHER_KEY` for a key of another application. */
export const MISTAKES: readonly Mistake[] = [
  {
    mistake: 'The server does not run, or has another port',
    program: 'app',
    env: { TOUCHSTONE_URL: NOWHERE },
    javascript:
      '1 span was lost: no response from http://127.0.0.1:1 (…). Start the server, or set TOUCHSTONE_URL.',
    python:
      '1 span was lost: no response from http://127.0.0.1:1 (…). Start the server, or set TOUCHSTONE_URL.',
    help: 'The server prints its address when it starts. Spans are lost after five seconds; `timeoutMillis` sets another time.',
  },
  {
    mistake: 'Another web server has that address',
    program: 'app',
    env: { TOUCHSTONE_URL: 'PAGE' },
    javascript: WEB_PAGE,
    python: WEB_PAGE,
    help: 'Open the address in a browser: Touchstone shows its dashboard.',
  },
  {
    mistake: 'The address has a path that the server does not serve',
    program: 'app',
    env: { TOUCHSTONE_URL: 'URL/collector' },
    javascript: WRONG_PATH,
    python: WRONG_PATH,
    help: 'Set the address without a path, or with `/v1/traces`.',
  },
  {
    mistake: 'The address has no `http://`',
    program: 'app',
    env: { TOUCHSTONE_URL: '127.0.0.1:4318' },
    javascript:
      '1 span was lost: the exporter has no valid url. Set TOUCHSTONE_URL to the address of the server.',
    python:
      '1 span was lost: the configured url is no http address. Set TOUCHSTONE_URL to the address of the server.',
    help: 'Write `http://127.0.0.1:4318`.',
  },
  {
    mistake: 'The key is wrong',
    program: 'app',
    env: { TOUCHSTONE_API_KEY: 'sk_abcdefghijkl_wrong' },
    javascript: WRONG_KEY,
    python: WRONG_KEY,
    help: KEYS_HELP,
  },
  {
    mistake: 'The key is that of another application',
    program: 'app',
    env: { TOUCHSTONE_API_KEY: 'OTHER_KEY' },
    javascript: OTHER_KEY,
    python: OTHER_KEY,
    help: KEYS_HELP,
  },
  {
    mistake: 'No key is set',
    program: 'app',
    env: { TOUCHSTONE_API_KEY: '' },
    javascript: '1 span was lost: HTTP 401, TOUCHSTONE_API_KEY not set. Set TOUCHSTONE_API_KEY.',
    python: '1 span was lost: HTTP 401, TOUCHSTONE_API_KEY not set. Set TOUCHSTONE_API_KEY.',
    help: KEYS_HELP,
  },
  {
    mistake: 'No application is set',
    program: 'app',
    env: { TOUCHSTONE_APPLICATION_ID: '' },
    javascript:
      '1 span was lost: HTTP 401, TOUCHSTONE_APPLICATION_ID not set. Set TOUCHSTONE_APPLICATION_ID.',
    python: '1 span was lost: HTTP 401, TOUCHSTONE_APPLICATION_ID not set. Set TOUCHSTONE_APPLICATION_ID.',
    help: '`touchstone applications list` shows the ids.',
  },
  {
    mistake: 'The test id is no UUID',
    program: 'app',
    env: { TEST_ID: 'test-1' },
    javascript:
      'the test id "test-1" is no UUID, so its spans belong to no test. Pass the testId of the webhook to withTest().',
    python:
      "the test id 'test-1' is no UUID, so its spans belong to no test. Pass the testId of the webhook to with_test().",
    help: 'Pass on the `testId` of the delivery, unchanged.',
  },
  {
    mistake: 'The test id is missing',
    program: 'app',
    env: { TEST_ID: '' },
    javascript: 'withTest() was called without a test id, so its spans belong to no test.',
    python: 'with_test() was called without a test id; its spans belong to no test',
    help: 'The variable or field that has the id is empty.',
  },
  {
    mistake: '`register()` is not called',
    program: 'no-register',
    javascript: 'no context manager is set, so spans cannot be linked to tests; call register().',
    python: 'no tracer provider is set, so there are no spans of the test; call register().',
    help: 'Call it first, before the packages that are instrumented are loaded.',
  },
  {
    mistake: 'The app has a tracer provider, and calls `register()`',
    program: 'two-providers',
    javascript:
      'register() changed nothing: a tracer provider is already set: add new TouchstoneSpanProcessor() to its spanProcessors and wrap its sampler with recordTests()',
    python: null,
    help: '[Add the processor](../exporters/otel/README.md#an-app-with-opentelemetry) to the provider of the app. In Python, `register()` [does so itself](../exporters/python/README.md#an-app-with-opentelemetry).',
  },
  {
    mistake: 'The sampler of the app leaves out tests',
    program: 'sampled-out',
    javascript: 'the sampler of the app left out spans of a test. Wrap it: recordTests(sampler).',
    python:
      'a test has no span: the sampler of the app (AlwaysOffSampler) leaves out spans of tests. Wrap it: TracerProvider(sampler=record_tests(sampler)).',
    help: 'The wrapped sampler records every test and decides on other spans as before. `register()` wraps the sampler of its own provider. In JavaScript, spans that are never made active cannot be seen; `unsampledTestSpans` of `stats()` counts the others.',
  },
  {
    mistake: 'The process ends before the spans are sent',
    program: 'never-flushed',
    javascript:
      '1 span was lost: the process ended before they were sent. Call await shutdown() before the process ends, or flush() before process.exit().',
    python: null,
    help: 'Call `shutdown()` at the end, `flush()` in a serverless function. In Python, the end of the process sends them; after `os._exit()`, nothing can.',
  },
  {
    mistake: 'Two versions of `@opentelemetry/api` are installed',
    program: 'two-apis',
    javascript:
      'the app started no span in its tests. Call register() before the app loads other packages, and install one version of @opentelemetry/api: npm ls @opentelemetry/api.',
    python: null,
    help: '`npm ls @opentelemetry/api` shows who installs which; `overrides` in package.json makes them one.',
  },
  {
    mistake: 'The webhook has another secret',
    program: 'webhook',
    env: { SIGNED_WITH: 'another secret' },
    javascript:
      'rejected a delivery: The signature does not match the body. Check that the secret is the latest one of the webhook, and the clock of this machine.',
    python:
      'rejected a delivery: The signature does not match the body. Check that the secret is the latest one of the webhook, and the clock of this machine.',
    help: '`POST /v0/webhook/rotate-secret` returns a new secret.',
  },
  {
    mistake: 'The app behind the webhook starts no span',
    program: 'webhook',
    env: { APP: 'silent' },
    javascript:
      'the app started no span in test TEST. Call register() before the app loads other packages, and install one version of @opentelemetry/api: npm ls @opentelemetry/api.',
    python:
      'the app started no span in test TEST. Instrument the app after register(), or start spans with opentelemetry.trace.',
    help: 'Add the instrumentation of your model client, or start spans of your own.',
  },
  {
    mistake: 'The app behind the webhook fails',
    program: 'webhook',
    env: { APP: 'throws' },
    javascript: 'test TEST failed: no such model',
    python: 'test TEST failed: no such model',
    help: 'The test says the same: `touchstone tests --status FAILED`.',
  },
];
