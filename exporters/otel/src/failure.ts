import type { HttpResponse } from './transport.ts';
import type { ExporterSettings } from './settings.ts';

/** A loss of spans: why, and what to do about it. */
export class ExportError extends Error {
  readonly remedy: string;
  /** True if no response came, so that the next request would only wait as long. */
  readonly isSilence: boolean;
  /** True if the same request may succeed later. */
  readonly isRetryable: boolean;

  constructor(
    message: string,
    remedy: string,
    { isSilence = false, isRetryable = false }: { isSilence?: boolean; isRetryable?: boolean } = {},
  ) {
    super(message);
    this.remedy = remedy;
    this.isSilence = isSilence;
    this.isRetryable = isRetryable;
  }
}

const MAX_REASON = 300;
const CREDENTIALS = [
  ['x-api-key', 'TOUCHSTONE_API_KEY'],
  ['x-application-id', 'TOUCHSTONE_APPLICATION_ID'],
] as const;

/** Codes of errors of certificates begin like this, in OpenSSL's names and in Node's. */
const CERTIFICATE_CODE = /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT_)/;
const NOT_HTTP = /^(?:HPE_|ERR_SSL_|EPROTO$)/;

/** Explains why no response came. */
export function noResponse(cause: { timeoutMillis: number } | { error: unknown }, url: URL): ExportError {
  if ('timeoutMillis' in cause) {
    return new ExportError(
      `no response from ${url.origin} within ${cause.timeoutMillis} ms`,
      'Check the server and the network, or raise timeoutMillis.',
      { isSilence: true },
    );
  }
  const { code, message } = (cause.error ?? {}) as { code?: unknown; message?: unknown };
  // An error that holds several of others has no text of its own.
  const texts = [message, code].filter((one): one is string => typeof one === 'string' && one !== '');
  const reason = `no response from ${url.origin} (${(texts[0] ?? 'unknown error').slice(0, MAX_REASON)})`;
  if (typeof code === 'string' && CERTIFICATE_CODE.test(code)) {
    return new ExportError(
      reason,
      'The certificate is not trusted: set OTEL_EXPORTER_OTLP_CERTIFICATE to the file of its authority.',
      { isSilence: true },
    );
  }
  if (typeof code === 'string' && NOT_HTTP.test(code)) {
    return new ExportError(
      reason,
      'Another protocol is spoken there. Set TOUCHSTONE_URL to the port for HTTP (default 4318), with http: or https: as the server has it.',
      { isSilence: true },
    );
  }
  return new ExportError(reason, 'Start the server, or set TOUCHSTONE_URL.', {
    isSilence: true,
    isRetryable: true,
  });
}

/** INVALID_ARGUMENT of gRPC, which OTLP over HTTP uses too. */
const INVALID_ARGUMENT = 3;

/**
 * Reports whether the server names a value that it does not accept, so that it may accept the spans without it. A port for gRPC and
 * other services have messages without such a code.
 */
export const isOfInvalidSpan = ({ status, body }: HttpResponse): boolean =>
  status === 400 && jsonOf(body).code === INVALID_ARGUMENT;

/** Explains a response that accepted nothing. */
export function rejection(response: HttpResponse, settings: ExporterSettings): ExportError {
  const { status } = response;
  const origin = settings.url === undefined ? 'the server' : new URL(settings.url).origin;
  const said = messageOf(response);
  const reason = `HTTP ${status} from ${origin}${said === '' ? '' : ` (${said})`}`;
  if (status === 401 || status === 403) return credentials(status, reason, settings);
  return new ExportError(reason, remedyOf(response));
}

/** Statuses of a request that no server will ever accept. */
const FINAL = new Set([400, 411, 413, 414, 415, 422, 431]);

/** Reports whether the same request may be accepted later, also by a server that was started again or with other settings. */
export const mayBeAcceptedLater = ({ status }: HttpResponse): boolean =>
  (status < 200 || status > 299) && !FINAL.has(status);

/** Explains a response that a Touchstone server does not send. */
export const webPage = (): ExportError =>
  new ExportError(
    'a web page came back, so another service answers at that address',
    'Set TOUCHSTONE_URL to the address of the server.',
  );

function credentials(status: number, reason: string, { missing }: ExporterSettings): ExportError {
  const names = CREDENTIALS.filter(([header]) => missing.includes(header)).map(([, name]) => name);
  if (names.length > 0) {
    const list = names.join(' and ');
    return new ExportError(`HTTP ${status}, ${list} not set`, `Set ${list}.`);
  }
  return new ExportError(
    reason,
    'Check TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID: the key must be valid for the application.',
  );
}

function remedyOf(response: HttpResponse): string {
  const {
    status,
    headers: { location },
  } = response;
  if (isOfInvalidSpan(response)) return 'Check its name, its times and its attributes.';
  if (status >= 300 && status < 400 && typeof location === 'string')
    return `Set TOUCHSTONE_URL to the address that it names: ${location.slice(0, MAX_REASON)}.`;
  if (status === 413)
    return 'Shorten the texts of this span, or raise TOUCHSTONE_MAX_BODY_BYTES of the server.';
  if (status === 429 || status === 503)
    return 'The server is busy: send less at once, or raise timeoutMillis.';
  return status < 500 ? 'Check TOUCHSTONE_URL.' : 'Check the log of the server.';
}

/** The server's own sentence: the message of an error in JSON, or a short plain text; without the full stop. */
function messageOf({ body, headers }: HttpResponse): string {
  const isPlain = /^text\/plain\b/i.test(String(headers['content-type'] ?? ''));
  const said = jsonOf(body).message ?? (isPlain ? body : '');
  return said.trim().slice(0, MAX_REASON).replace(/\.$/, '');
}

/** Returns code and message of an error in JSON; neither if it is something else. */
function jsonOf(body: string): { code?: unknown; message?: string } {
  try {
    const { code, message } = JSON.parse(body) as { code?: unknown; message?: unknown };
    return typeof message === 'string' ? { code, message } : {};
  } catch {
    return {};
  }
}
