import type { OtlpSignal } from './response.ts';

export const OTLP_PATHS: readonly (readonly [path: string, signal: OtlpSignal])[] = [
  ['/v1/traces', 'traces'],
  ['/v0/otel/traces', 'traces'],
  ['/v0/otel/v1/traces', 'traces'],
  ['/v1/logs', 'logs'],
  ['/v1/metrics', 'metrics'],
];

/** Reports whether responses to requests with this URL are OTLP messages. Ignores the query. */
export function isOtlpPath(url: string): boolean {
  const path = url.split('?', 1).join('');
  return OTLP_PATHS.some(([otlp]) => otlp === path);
}
