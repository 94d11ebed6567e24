import { context } from '@opentelemetry/api';
import { readAtMost } from './bytes.ts';
import { decoded } from './decoded.ts';
import { type Environment, type ExporterOptions, exporterSettings } from './settings.ts';
import { WebhookError } from './webhook-error.ts';
import { parseObject } from './webhook-payload.ts';
import { UNTRACED } from './untraced.ts';
import { required, wholeNumber } from './webhook-signature.ts';

/**
 * Address and credentials of the Touchstone server. Options that are left out are read from the environment, as for
 * spans.
 */
export type ApiOptions = Pick<ExporterOptions, 'url' | 'apiKey' | 'applicationId' | 'reportLoss' | 'debug'>;

const TIMEOUT_MILLIS = 5_000;
const MAX_ANSWER_BYTES = 65_536;
const TRACES_PATH = /(?:\/v0\/otel)?(?:\/v1)?\/traces$/;

/**
 * Requests that the server confirm that it sent a delivery. Throws a {@link WebhookError}: 401, or 503 if the server
 * does not respond.
 */
export type AskServer = (headers: Headers, body: Uint8Array) => Promise<undefined>;

/** Throws when a setting is missing. */
export function serverCheck(options: ApiOptions, env: Environment): AskServer {
  const { url, headers: own } = exporterSettings(options, env);
  if (url === undefined) throw new TypeError("validate: 'api' needs a url that is an http address");
  const address = new URL(url);
  address.pathname = address.pathname.replace(TRACES_PATH, '').concat('/v0/validate-webhook');
  const credential = (name: string, variable: string): string => {
    const value = own[name] || otlpHeader(name, env);
    if (!value) throw new TypeError(`validate: 'api' needs ${variable}`);
    return value;
  };
  const credentials = {
    'x-api-key': credential('x-api-key', 'apiKey or TOUCHSTONE_API_KEY'),
    'x-application-id': credential('x-application-id', 'applicationId or TOUCHSTONE_APPLICATION_ID'),
  };

  return async (headers, body) => {
    const signature = required(headers, 'x-service-signature');
    const timestamp = wholeNumber(required(headers, 'x-service-timestamp'));
    const { text } = parseObject(body);
    // The body is passed on as the text that arrived: parsed and written again it could be another one.
    const question = `{"signature":${JSON.stringify(signature)},"timestamp":${timestamp},"body":${text}}`;
    const isValid = await ask(address, credentials, question).catch((cause: unknown) => {
      throw new WebhookError(503, `The signature could not be checked: ${reasonOf(cause)}`, { cause });
    });
    if (!isValid) throw new WebhookError(401, 'The signature does not match the body, or is too old');
    return undefined;
  };
}

/** Error whose message may be shown to any caller. */
class AnswerError extends Error {}

async function ask(url: URL, credentials: Record<string, string>, body: string): Promise<boolean> {
  const response = await context.with(UNTRACED, () =>
    fetch(url, {
      method: 'POST',
      headers: { ...credentials, 'content-type': 'application/json' },
      body,
      // The key is for this address only. Cloudflare Workers know no `error` here.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    }),
  );
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new AnswerError(`the Touchstone server answered ${response.status}`);
  }
  const valid = validOf((await readAtMost(MAX_ANSWER_BYTES, response.body)) ?? new Uint8Array());
  if (typeof valid !== 'boolean') throw new AnswerError('the Touchstone server sent an unexpected response');
  return valid;
}

function validOf(answer: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(answer)) as { valid?: unknown } | null)?.valid;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AnswerError) return error.message;
  return error instanceof Error && error.name === 'TimeoutError'
    ? 'the Touchstone server did not answer in time'
    : 'the Touchstone server could not be reached';
}

/** A header among those for all OTLP requests, which may hold our credentials. */
function otlpHeader(wanted: string, env: Environment): string | undefined {
  const lists = [env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'], env['OTEL_EXPORTER_OTLP_HEADERS']];
  for (const pair of lists.join(',').split(',')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map((part) => part.trim());
    if (name.toLowerCase() === wanted) return decoded(value);
  }
  return undefined;
}
