import { errors } from 'undici';
import type { NotSentReason } from './outcome.ts';

/** Limit for the head of a response, in bytes. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** The request never reached the other side; `message` and `hint` are for people. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
  readonly reason: NotSentReason;
  readonly hint: string;

  constructor(reason: NotSentReason, message: string, hint: string) {
    super(message);
    this.reason = reason;
    this.hint = hint;
  }
}

/** The code Node or undici gave a failure, such as ECONNREFUSED; its message may say more than people should see. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

/** `host`: without a port; `error`: of the resolver. */
export function nameNotResolved(host: string, error: unknown): NotSentError {
  const code = codeOf(error);
  return code === 'EAI_AGAIN'
    ? new NotSentError(
        'dns',
        `The name server did not answer for ${host} (${code}).`,
        'Check that the machine of the service can resolve names.',
      )
    : new NotSentError(
        'dns',
        `The name ${host} cannot be resolved (${code}).`,
        'Check the spelling of the host, and that the machine of the service knows the name.',
      );
}

/** `place`: host and port; `error`: of the last connection tried. */
export function notConnected(place: string, error: unknown): NotSentError {
  const code = codeOf(error);
  return code === 'ECONNREFUSED'
    ? new NotSentError(
        'refused',
        `${place} refused the connection.`,
        'Check that the app runs and listens on this port; inside a container, localhost is the container itself.',
      )
    : new NotSentError(
        'unreachable',
        `${place} cannot be reached (${code}).`,
        'Check host and port, and that the machine of the service has a route to it.',
      );
}

const TRUST: readonly [string, string] = [
  'offers a certificate from an authority that is not trusted here',
  'Use a certificate of a public authority with its whole chain, or start the service with NODE_EXTRA_CA_CERTS naming the authority.',
];
const SELF_SIGNED: readonly [string, string] = [
  'offers a self-signed certificate',
  'Use a certificate of an authority, or start the service with NODE_EXTRA_CA_CERTS naming this one.',
];
const NOT_TLS: readonly [string, string] = [
  'does not speak TLS',
  'Check the port: it seems to be one for http:.',
];

const TLS_FAILURES: Readonly<Record<string, readonly [fact: string, hint: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_GET_ISSUER_CERT: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  CERT_HAS_EXPIRED: ['offers a certificate that has expired', 'Renew the certificate.'],
  CERT_NOT_YET_VALID: [
    'offers a certificate that is not valid yet',
    'Check the clock of the machine of the service, and the certificate.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'offers a certificate for another name',
    'Call the app by a name that its certificate holds, or add this name to the certificate.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
};

/** `place`: host and port; `error`: of the TLS handshake. */
export function notSecured(place: string, error: unknown): NotSentError {
  const code = codeOf(error);
  const [fact, hint] = TLS_FAILURES[code] ?? [
    'did not complete the TLS handshake',
    'Check that the port speaks TLS 1.2 or later and asks for no client certificate.',
  ];
  return new NotSentError('tls', `${place} ${fact} (${code}).`, hint);
}

/** Describes an error that occurred after the request may have reached the app. */
export function lostMessage(place: string, error: unknown): string {
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError)
    return `${place} answered with something that is not HTTP/1.1.`;
  if (error instanceof errors.HeadersOverflowError) {
    return `${place} answered with headers of more than ${MAX_HEADER_BYTES} bytes.`;
  }
  if (error instanceof errors.ResponseContentLengthMismatchError) {
    return `${place} sent a body of another length than its headers say.`;
  }
  return `${place} broke the connection off before its answer was complete (${code}).`;
}
