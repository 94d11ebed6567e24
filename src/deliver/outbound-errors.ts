import { errorCode } from '../errors.ts';
import { errors } from 'undici';
import type { NotSentReason } from './outcome.ts';

/** Limit of the size of response headers, in bytes. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Error of a request that never reached the other side. `message` and `hint` are shown to users. */
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

/** Returns the code of a failure for users, whose message may contain more than they should see. */
export const failureCode = (error: unknown): string => errorCode(error) || 'unknown';

/** Describes a failed DNS lookup. `host` has no port; `error` is the resolver's. */
export function nameNotResolved(host: string, error: unknown): NotSentError {
  const code = failureCode(error);
  return code === 'EAI_AGAIN'
    ? new NotSentError(
        'dns',
        `The name server did not respond to the lookup of ${host} (${code}).`,
        'Check that the machine of the service can resolve names.',
      )
    : new NotSentError(
        'dns',
        `The name ${host} cannot be resolved (${code}).`,
        'Check the spelling of the host, and that the machine of the service can resolve it.',
      );
}

/** Describes a failed connection. `place` is host and port; `error` is that of the last address tried. */
export function notConnected(place: string, error: unknown): NotSentError {
  const code = failureCode(error);
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
  'presents a certificate from an authority that is not trusted',
  'Use a certificate of a public authority with its complete chain, or add the authority to NODE_EXTRA_CA_CERTS of the service.',
];
const SELF_SIGNED: readonly [string, string] = [
  'presents a self-signed certificate',
  'Use a certificate of an authority, or add this one to NODE_EXTRA_CA_CERTS of the service.',
];
const NOT_TLS: readonly [string, string] = ['does not speak TLS', 'Check the port: it seems to serve http:.'];

const TLS_FAILURES: Readonly<Record<string, readonly [fact: string, hint: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_GET_ISSUER_CERT: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  CERT_HAS_EXPIRED: ['presents a certificate that has expired', 'Renew the certificate.'],
  CERT_NOT_YET_VALID: [
    'presents a certificate that is not valid yet',
    'Check the clock of the machine of the service, and the certificate.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'presents a certificate for another name',
    'Call the app by a name that its certificate contains, or add this name to the certificate.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
};

/** Describes a failed TLS handshake. `place` is host and port; `error` is that of the handshake. */
export function notSecured(place: string, error: unknown): NotSentError {
  const code = failureCode(error);
  const [fact, hint] = TLS_FAILURES[code] ?? [
    'did not complete the TLS handshake',
    'Check that the port speaks TLS 1.2 or later and requires no client certificate.',
  ];
  return new NotSentError('tls', `${place} ${fact} (${code}).`, hint);
}

/** Describes an error that occurred after the request may have reached the app. */
export function lostMessage(place: string, error: unknown): string {
  const code = failureCode(error);
  if (error instanceof errors.HTTPParserError) return `The response of ${place} is not valid HTTP/1.1.`;
  if (error instanceof errors.HeadersOverflowError) {
    return `The response headers of ${place} exceed ${MAX_HEADER_BYTES} bytes.`;
  }
  if (error instanceof errors.ResponseContentLengthMismatchError) {
    return `The response body of ${place} does not have the length that its headers declare.`;
  }
  return `${place} closed the connection before its response was complete (${code}).`;
}
