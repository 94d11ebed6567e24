import type { OtlpSignal } from './response.ts';

/**
 * Prefixes of the OTLP paths of other services, so that an exporter that was set to one of them only needs another
 * host: Langfuse; LangSmith, Braintrust and Weave; LangWatch; Opik; Grafana.
 */
const PREFIXES = ['', '/v0/otel', '/api/public/otel', '/otel', '/api/otel', '/api/v1/private/otel', '/otlp'];
const SIGNALS = ['traces', 'logs', 'metrics'] as const;

export const OTLP_PATHS: readonly (readonly [path: string, signal: OtlpSignal])[] = [
  ...PREFIXES.flatMap((prefix) => SIGNALS.map((signal) => [`${prefix}/v1/${signal}`, signal] as const)),
  ['/v0/otel/traces', 'traces'],
];
const PATHS: ReadonlySet<string> = new Set(OTLP_PATHS.map(([path]) => path));

/** Reports whether responses to requests with this URL are OTLP messages. Ignores the query. */
export function isOtlpPath(url: string): boolean {
  return PATHS.has(url.split('?', 1).join(''));
}

/**
 * Returns the URL of an OTLP path without doubled and trailing slashes, which arise where an endpoint is joined from
 * parts; any other URL as it is.
 */
export function withoutExtraSlashes(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (!path.includes('//') && !path.endsWith('/')) return url;
  const plain = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return PATHS.has(plain) ? [plain, ...query].join('?') : url;
}
