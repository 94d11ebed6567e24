import { grpcCodeOf } from '../ingest/otlp/response.ts';
import type { Content, OpenApiDocument, Operation } from './document.ts';
import { groupOf } from './groups.ts';
import { type JsonSchema, refTo } from './json-schema.ts';
import { connectionReferences, RETRY_AFTER, success } from './responses.ts';

const SIGNALS = {
  traces: {
    message: 'ExportTraceServiceRequest',
    rejected: 'rejectedSpans',
    id: 'exportTraces',
    summary: 'Send spans',
    description:
      'Answered when the spans are durable. A span with a wrong id is refused alone: `partialSuccess` says how many and why. A span sent again changes nothing; another one with its id takes its place.',
    example: { resourceSpans: [] },
  },
  logs: {
    message: 'ExportLogsServiceRequest',
    rejected: 'rejectedLogRecords',
    id: 'exportLogs',
    summary: 'Send log records',
    description:
      'Those with a trace and span id whose event name begins with `gen_ai.` are kept and shown with their span; all others are counted and dropped.',
    example: { resourceLogs: [] },
  },
  metrics: {
    message: 'ExportMetricsServiceRequest',
    rejected: 'rejectedDataPoints',
    id: 'exportMetrics',
    summary: 'Send metrics',
    description: 'Taken, counted and dropped, so that one endpoint may be set for all signals.',
    example: { resourceMetrics: [] },
  },
} as const;
type Signal = keyof typeof SIGNALS;

/** Path → signal; `suffix` tells the operations of one signal apart. */
const DOORS: readonly (readonly [path: string, signal: Signal, suffix: string])[] = [
  ['/v1/traces', 'traces', ''],
  ['/v0/otel/traces', 'traces', 'AtOtelTraces'],
  ['/v0/otel/v1/traces', 'traces', 'AtOtelV1Traces'],
  ['/v1/logs', 'logs', ''],
  ['/v1/metrics', 'metrics', ''],
];

const REFUSALS = {
  400: 'Not the message it should be',
  401: 'No API key, or one that is not valid',
  403: 'The API key is not of this application, or lacks the scope',
  413: 'The body is too large, before or after it was inflated',
  415: 'Not this content type or encoding',
  500: 'A fault of the server',
  503: 'Busy: send again after `Retry-After`, 3 seconds at most',
} as const;

export const otlpSchemas: Record<string, JsonSchema> = {
  RpcStatus: {
    type: 'object',
    description: '`google.rpc.Status`.',
    properties: {
      code: { type: 'integer', description: 'Of gRPC.' },
      message: { type: 'string' },
      details: { type: 'array', items: { type: 'object' } },
    },
    required: ['code', 'message'],
  },
};

function exportOperation(signal: Signal, suffix: string): Operation {
  const { id, summary, description, message, rejected, example } = SIGNALS[signal];
  const answer: JsonSchema = {
    type: 'object',
    properties: {
      partialSuccess: {
        type: 'object',
        properties: {
          [rejected]: { type: 'string', description: 'A whole number.' },
          errorMessage: { type: 'string' },
        },
      },
    },
  };
  const request = { type: 'object', description: `\`${message}\` of OTLP.` };
  return {
    operationId: `${id}${suffix}`,
    tags: [groupOf('/v1/otlp')],
    summary,
    description: `${description}\n\nBodies may be compressed (\`Content-Encoding\`: gzip, deflate, zstd).\n\nScope: \`ingest\`.`,
    requestBody: { required: true, content: inBothEncodings(request, example) },
    responses: {
      200: success(200, {}, inBothEncodings(answer, {})),
      ...Object.fromEntries(
        Object.entries(REFUSALS).map(([status, meaning]) => [status, refusal(status, meaning)]),
      ),
      ...connectionReferences,
    },
  };
}

const inBothEncodings = (schema: JsonSchema, example: unknown): Content => ({
  'application/json': { schema, example },
  'application/x-protobuf': { schema: { type: 'string', format: 'binary' } },
});

function refusal(status: string, description: string): ReturnType<typeof success> {
  const content = inBothEncodings(refTo('RpcStatus'), {
    code: grpcCodeOf(Number(status)),
    message: description,
  });
  const { headers, ...answer } = success(Number(status), {}, content);
  return { ...answer, description, headers: { ...headers, ...(status === '503' && RETRY_AFTER) } };
}

/** The OTLP doors: what they take and answer is described by OpenTelemetry, so here is only where and how. */
export const otlpPaths: OpenApiDocument['paths'] = Object.fromEntries(
  DOORS.map(([path, signal, suffix]) => [path, { post: exportOperation(signal, suffix) }]),
);
