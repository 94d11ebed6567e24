import type { RouteGroup } from '../contract/route-group.ts';
import { grpcCodeOf } from '../ingest/otlp/response.ts';
import type { ContentByType, OpenApiDocument, ApiOperation } from './document.ts';
import { type JsonSchema, refTo } from './json-schema.ts';
import { connectionReferences, RETRY_AFTER, success } from './responses.ts';

const SIGNALS = {
  traces: {
    message: 'ExportTraceServiceRequest',
    rejected: 'rejectedSpans',
    id: 'exportTraces',
    summary: 'Send spans',
    description:
      'The response is sent once the spans are durable. Only spans with an invalid id are rejected: `partialSuccess` reports how many and why. Sending a span again changes nothing; a different span with the same id replaces it.',
    example: { resourceSpans: [] },
  },
  logs: {
    message: 'ExportLogsServiceRequest',
    rejected: 'rejectedLogRecords',
    id: 'exportLogs',
    summary: 'Send log records',
    description:
      'Log records with a trace id, a span id and an event name that begins with `gen_ai.` are kept and shown with their span; all others are counted and dropped.',
    example: { resourceLogs: [] },
  },
  metrics: {
    message: 'ExportMetricsServiceRequest',
    rejected: 'rejectedDataPoints',
    id: 'exportMetrics',
    summary: 'Send metrics',
    description:
      'Metrics are accepted, counted and dropped, so that one endpoint can be set for all signals.',
    example: { resourceMetrics: [] },
  },
} as const;
type Signal = keyof typeof SIGNALS;

/** Signal of each path. `suffix` makes the operations of a signal distinct. */
const ENDPOINTS: readonly (readonly [path: string, signal: Signal, suffix: string])[] = [
  ['/v1/traces', 'traces', ''],
  ['/v0/otel/traces', 'traces', 'AtOtelTraces'],
  ['/v0/otel/v1/traces', 'traces', 'AtOtelV1Traces'],
  ['/v1/logs', 'logs', ''],
  ['/v1/metrics', 'metrics', ''],
];

const REJECTIONS = {
  400: 'Not a valid message',
  401: 'The API key is missing or not valid',
  403: 'The API key belongs to another application or lacks the scope',
  413: 'The body is too large, compressed or decompressed',
  415: 'Content type or encoding is not supported',
  500: 'Internal server error',
  503: 'Busy: retry after `Retry-After`, at most 3 seconds',
} as const;

export const otlpSchemas: Record<string, JsonSchema> = {
  RpcStatus: {
    type: 'object',
    description: '`google.rpc.Status`.',
    properties: {
      code: { type: 'integer', description: 'Status code of gRPC.' },
      message: { type: 'string' },
      details: { type: 'array', items: { type: 'object' } },
    },
    required: ['code', 'message'],
  },
};

function exportOperation(signal: Signal, suffix: string): ApiOperation {
  const { id, summary, description, message, rejected, example } = SIGNALS[signal];
  const response: JsonSchema = {
    type: 'object',
    properties: {
      partialSuccess: {
        type: 'object',
        properties: {
          [rejected]: { type: 'string', description: 'An integer.' },
          errorMessage: { type: 'string' },
        },
      },
    },
  };
  const request = { type: 'object', description: `\`${message}\` of OTLP.` };
  return {
    operationId: `${id}${suffix}`,
    security: [{ apiKey: [], applicationId: [] }],
    tags: ['OpenTelemetry' satisfies RouteGroup],
    summary,
    description: `${description}\n\nBodies may be compressed (\`Content-Encoding\`: gzip, zstd, deflate, zlib, snappy, x-snappy-framed, lz4).\n\nScope: \`ingest\`.`,
    requestBody: { required: true, content: inBothEncodings(request, example) },
    responses: {
      200: success(200, {}, inBothEncodings(response, {})),
      ...Object.fromEntries(
        Object.entries(REJECTIONS).map(([status, meaning]) => [status, rejection(status, meaning)]),
      ),
      ...connectionReferences,
    },
  };
}

const inBothEncodings = (schema: JsonSchema, example: unknown): ContentByType => ({
  'application/json': { schema, example },
  'application/x-protobuf': { schema: { type: 'string', format: 'binary' } },
});

function rejection(status: string, description: string): ReturnType<typeof success> {
  const content = inBothEncodings(refTo('RpcStatus'), {
    code: grpcCodeOf(Number(status)),
    message: description,
  });
  const { headers, ...response } = success(Number(status), {}, content);
  return { ...response, description, headers: { ...headers, ...(status === '503' && RETRY_AFTER) } };
}

/**
 * OTLP endpoints. OpenTelemetry specifies their messages; this document describes only where and how to send them.
 */
export const otlpPaths: OpenApiDocument['paths'] = Object.fromEntries(
  ENDPOINTS.map(([path, signal, suffix]) => [path, { post: exportOperation(signal, suffix) }]),
);
