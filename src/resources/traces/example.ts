import type { z } from 'zod';
import { AT, dates, ID, OTEL_TRACE_ID, owner, SPAN_ID } from '../../contract/example-values.ts';
import type { listedTrace, span, spanDetail, step, trace, traceFacets, usage } from './trace-record.ts';

const exampleUsage: z.input<typeof usage> = {
  promptTokens: 212,
  completionTokens: 9,
  totalTokens: 221,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

export const exampleListedTrace: z.input<typeof listedTrace> = {
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
  usage: exampleUsage,
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

const exampleStep: z.input<typeof step> = {
  type: 'llm',
  id: SPAN_ID,
  traceId: ID.trace,
  name: 'chat gpt-4o',
  timestamp: AT,
  durationMs: 1180.25,
  status: { code: 'UNSET' },
  event: 'end',
  input: exampleListedTrace.input,
  output: exampleListedTrace.output,
  modelId: 'gpt-4o',
  provider: 'openai',
  cost: 0.00062,
  usage: exampleUsage,
};

export const exampleTrace: z.input<typeof trace> = {
  ...exampleListedTrace,
  inputSpanId: SPAN_ID,
  outputSpanId: SPAN_ID,
  steps: [exampleStep],
  stepsTruncated: false,
};

export const exampleSpan: z.input<typeof span> = {
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

export const exampleSpanDetail: z.input<typeof spanDetail> = {
  id: SPAN_ID,
  traceId: ID.trace,
  parentId: null,
  name: 'chat gpt-4o',
  kind: 'LLM',
  type: 'llm',
  startTime: AT,
  endTime: AT,
  durationMs: 1180.25,
  status: { code: 'UNSET' },
  service: 'support-bot',
  testId: ID.test,
  model: 'gpt-4o',
  usage: exampleUsage,
  cost: 0.00062,
  costEstimated: true,
  spanKind: 'CLIENT',
  traceState: '',
  traceFlags: 257,
  attributes: { 'gen_ai.request.model': 'gpt-4o' },
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  links: [],
  droppedLinksCount: 0,
  scope: { name: 'openai', version: '1.2.0', attributes: {} },
  resource: { attributes: { 'service.name': 'support-bot' } },
  mapped: {
    ruleSet: 1,
    fields: { model: { value: 'gpt-4o', vocabulary: 'gen-ai', from: 'gen_ai.request.model' } },
    unmapped: [],
    redacted: [],
    truncated: [],
    warnings: [],
  },
};

export const exampleFacets: z.input<typeof traceFacets> = {
  traces: 3,
  isTruncated: false,
  facets: {
    name: [{ value: 'chat gpt-4o', traces: 3 }],
    status: [
      { value: 'ok', traces: 2 },
      { value: 'error', traces: 1 },
    ],
    model: [{ value: 'gpt-4o', traces: 3 }],
    service: [{ value: 'support-bot', traces: 3 }],
    environment: [{ value: 'production', traces: 3 }],
    provider: [{ value: 'openai', traces: 3 }],
    kind: [{ value: 'LLM', traces: 3 }],
    tag: [],
  },
};
