import type { OperationNotes } from './note.ts';
import { AT, dates, ID, LATER, OTEL_TRACE_ID, owner, page, SPAN_ID } from './values.ts';

const usage = {
  promptTokens: 212,
  completionTokens: 9,
  totalTokens: 221,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const summary = {
  id: ID.trace,
  ...owner,
  ...dates,
  timestamp: AT,
  testId: ID.test,
  testIds: [ID.test],
  otelTraceId: OTEL_TRACE_ID,
  rootName: 'chat gpt-4o',
  services: ['support-bot'],
  environment: 'production',
  sessionId: 'conversation-7',
  userId: 'ada',
  tags: ['web'],
  models: ['gpt-4o'],
  usage,
  cost: 0.00062,
  costEstimated: true,
  durationMs: 1180.25,
  spanCount: 1,
  errorCount: 0,
  ruleSet: 1,
  metadata: { channel: 'web' },
  input: 'How long can I return a chair?',
  output: 'For 30 days.',
  flags: [],
};
const step = {
  type: 'llm',
  id: SPAN_ID,
  traceId: ID.trace,
  name: 'chat gpt-4o',
  timestamp: AT,
  durationMs: 1180.25,
  status: { code: 'UNSET' },
  event: 'end',
  input: summary.input,
  output: summary.output,
  modelId: 'gpt-4o',
  provider: 'openai',
  cost: 0.00062,
  usage,
};
const trace = {
  ...summary,
  inputSpanId: SPAN_ID,
  outputSpanId: SPAN_ID,
  steps: [step],
  stepsTruncated: false,
};
const span = {
  id: SPAN_ID,
  name: 'chat gpt-4o',
  kind: 'LLM',
  type: 'llm',
  startTime: AT,
  durationMs: 1180.25,
  status: { code: 'UNSET' },
  depth: 0,
  childCount: 0,
  testId: ID.test,
};
const session = {
  id: 'conversation-7',
  ...owner,
  userIds: ['ada'],
  traceCount: 1,
  firstAt: AT,
  lastAt: AT,
  durationMs: 1180.25,
  usage: { promptTokens: 212, completionTokens: 9, totalTokens: 221 },
  cost: 0.00062,
  errorCount: 0,
  models: ['gpt-4o'],
  input: summary.input,
  output: summary.output,
  testIds: [ID.test],
};
const rejection = {
  id: '17',
  at: AT,
  keyId: '4fQz81LmKx2P',
  source: 'otlp',
  reason: 'invalid_id',
  message: 'The span id is all zeros',
  spans: 1,
  traceId: OTEL_TRACE_ID,
  spanId: null,
};

/** What came in: events, traces, sessions and the ledger. */
export const traceNotes: OperationNotes = {
  'POST /v0/ingest': {
    id: 'ingestEvents',
    body: {
      events: [
        {
          type: 'trace',
          timestamp: AT,
          testId: ID.test,
          input: summary.input,
          output: summary.output,
          referenceId: 'conversation-7',
        },
        {
          type: 'llm',
          event: 'end',
          timestamp: LATER,
          modelId: 'gpt-4o',
          output: summary.output,
          usage: { promptTokens: 212, completionTokens: 9 },
        },
      ],
    },
    answer: {
      data: [{ success: true, id: ID.trace }, { success: true }],
    },
  },
  'GET /v0/ingest/ledger': {
    id: 'listLedger',
    answer: page([
      {
        hour: AT,
        keyId: '4fQz81LmKx2P',
        requests: 12,
        received: 240,
        stored: 238,
        duplicate: 1,
        replaced: 0,
        rejected: 1,
        reasons: { invalid_id: 1 },
        notices: {},
      },
    ]),
  },
  'GET /v0/ingest/ledger/rejected': { id: 'listRejections', answer: page([rejection]) },
  'GET /v0/ingest/lookup': {
    id: 'lookUpSpan',
    answer: {
      data: {
        traceId: OTEL_TRACE_ID,
        spanId: SPAN_ID,
        stored: true,
        traceSpanCount: 1,
        traceUpdatedAt: AT,
        deletedAt: null,
        rejections: [],
      },
    },
  },

  'GET /v0/traces': { id: 'listTraces', answer: page([summary]) },
  'GET /v0/traces/by-test/{testId}': { id: 'getTraceByTest', answer: { data: trace } },
  'GET /v0/traces/{id}': { id: 'getTrace', answer: { data: trace } },
  'GET /v0/traces/{id}/spans': {
    id: 'listSpans',
    answer: { data: [span], pagination: { skip: 0, limit: 1_000, total: 1, totalPages: 1 } },
  },
  'DELETE /v0/traces/{id}': { id: 'deleteTrace' },

  'GET /v0/sessions': { id: 'listSessions', answer: page([session]) },
  'GET /v0/sessions/{id}': {
    id: 'getSession',
    answer: { data: { ...session, traces: [summary], tracesTruncated: false } },
  },
};
