import { mostSimilar } from '../most-similar.ts';

/** Returns the methods of the routes that serve a path; none if the path is unknown. */
export type MethodsAt = (path: string) => readonly string[];

const OTLP_ADVICE =
  'Exporters of OpenTelemetry append it themselves: set OTEL_EXPORTER_OTLP_ENDPOINT to the address of the server without a path.';

/** Paths of other servers and tools, and what they are called here. */
const OTHER_NAMES: readonly (readonly [pattern: RegExp, path: string])[] = [
  [/^\/(?:health|healthcheck|health-check|status|ping|live|livez|liveness|up)$/, '/healthz'],
  [/^\/(?:ready|readiness)$/, '/readyz'],
  [/^\/(?:prometheus|actuator\/prometheus)$/, '/metrics'],
  [/^\/(?:swagger(?:-ui)?(?:\/.*)?|api-docs|redoc|reference|api|docs\/.*)$/, '/docs'],
  [/^\/(?:swagger\.json|openapi\.ya?ml|openapi|docs\/openapi\.json|v[01]\/openapi\.json)$/, '/openapi.json'],
  [/^\/(?:v[01]\/)?(?:events|track|spans)$/, '/v0/ingest'],
];
const SIGNALS: Readonly<Record<string, string>> = { trace: 'traces', log: 'logs', metric: 'metrics' };

/** Returns a sentence with the path that the sender of a request to an unknown path most likely meant; null if none is near. */
export function meantPath(method: string, path: string, methodsAt: MethodsAt): string | null {
  const otlp = otlpPath(method, path);
  if (otlp !== null) return `There is no ${path}. Did you mean POST ${otlp}? ${OTLP_ADVICE}`;
  const found = candidates(path).find((candidate) => candidate !== path && methodsAt(candidate).length > 0);
  if (found === undefined) return null;
  const methods = methodsAt(found);
  const meant = methods.includes(method) ? method : methods.join(' or ');
  return `There is no ${path}. Did you mean ${meant} ${found}?`;
}

/** Returns the OTLP path of the signal that is exported to an unknown path; null if the path is none of an exporter. */
function otlpPath(method: string, path: string): string | null {
  const [, name = ''] = /\/v1\/(traces?|logs?|metrics?)\/?$/i.exec(path) ?? [];
  const signal = name.toLowerCase();
  if (signal !== '') return `/v1/${SIGNALS[signal] ?? signal}`;
  return method === 'POST' && /^\/(?:traces?|otlp|otel|v1|api\/public\/otel|v0\/otel)\/?$/i.test(path)
    ? '/v1/traces'
    : null;
}

/** Paths that are near, the nearest first. */
function candidates(path: string): string[] {
  const plain = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const lower = plain.toLowerCase();
  const known = OTHER_NAMES.filter(([pattern]) => pattern.test(lower)).map(([, name]) => name);
  const bare = plain.replace(/^\/api(?=\/)/, '').replace(/^\/v\d+(?=\/)/, '');
  const versioned = [`/v0${bare}`, `/v1${bare}`];
  const dashed = versioned.map((name) =>
    withFirstPart(name, (part) => part.toLowerCase().replaceAll('_', '-')),
  );
  const many = dashed.map((name) => withFirstPart(name, (part) => `${part}s`));
  return [plain, ...known, bare, ...versioned, ...dashed, ...many];
}

/** Changes the name of the resource in a path with a version. */
const withFirstPart = (path: string, change: (part: string) => string): string =>
  path.replace(/^(\/v\d\/)([^/]+)/, (_all, version: string, part: string) => version + change(part));

/** Returns the same sentence for a path whose resource is misspelled; `names` are the resources of the paths there are. */
export function misspelledPath(path: string, names: readonly string[], methodsAt: MethodsAt): string | null {
  const [, start = '', name = '', rest = ''] = /^(\/v\d\/)([^/]+)(.*)$/.exec(path) ?? [];
  const similar = name === '' ? undefined : mostSimilar(name, names);
  if (similar === undefined) return null;
  const found = `${start}${similar}${rest}`;
  const methods = methodsAt(found);
  return methods.length === 0 ? null : `There is no ${path}. Did you mean ${found}?`;
}
