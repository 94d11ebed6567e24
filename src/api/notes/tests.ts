import type { OperationNotes } from './note.ts';
import { AT, ID, LATER, owner, page, SPAN_ID } from './values.ts';

const result = { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null };
const listed = {
  id: ID.test,
  ...owner,
  createdAt: AT,
  modifiedAt: LATER,
  taskId: ID.task,
  runId: ID.run,
  runType: 'MANUAL',
  status: 'COMPLETED',
  phase: 'done',
  failure: null,
  prompt: 'How long can I return a chair?',
  exampleIndex: 0,
  experimentId: null,
  experimentVariantId: null,
  result,
};
const test = {
  ...listed,
  metadata: { channel: 'web' },
  timeline: [
    { at: AT, phase: 'queued', detail: 'Triggered' },
    { at: LATER, phase: 'done', detail: 'No more spans came' },
  ],
  traceIds: [ID.trace],
  input: 'How long can I return a chair?',
  output: 'For 30 days.',
  inputSpanId: SPAN_ID,
  outputSpanId: SPAN_ID,
  evals: [],
};
const cancelled = {
  ...test,
  status: 'FAILED',
  failure: { code: 'cancelled', message: 'The test was cancelled.', hint: 'Trigger the task once more.' },
  timeline: [{ at: AT, phase: 'queued', detail: 'Triggered' }],
  traceIds: [],
  input: null,
  output: null,
  inputSpanId: null,
  outputSpanId: null,
};
const run = {
  id: ID.run,
  ...owner,
  createdAt: AT,
  modifiedAt: LATER,
  taskId: ID.task,
  type: 'MANUAL',
  experimentVariantId: null,
  threadId: null,
  tests: { total: 1, pending: 0, inProgress: 0, completed: 1, failed: 0 },
  evals: [],
  result,
};

/** Tests and runs. */
export const testNotes: OperationNotes = {
  'POST /v0/tasks/trigger': {
    id: 'triggerTasks',
    body: { taskIds: [ID.task], repeat: 1 },
    answer: { data: [{ runId: ID.run, taskId: ID.task, testIds: [ID.test] }] },
  },
  'GET /v0/tests': { id: 'listTests', answer: page([listed]) },
  'GET /v0/tests/{id}': { id: 'getTest', answer: { test } },
  'POST /v0/tests/{id}/cancel': { id: 'cancelTest', answer: { test: cancelled } },
  'GET /v0/tests/{id}/stream': {
    id: 'streamTest',
    answer: `event: test\ndata: ${JSON.stringify(test)}\n\nevent: end\ndata: {}\n\n`,
  },
  'GET /v0/runs': { id: 'listRuns', answer: page([run]) },
  'GET /v0/runs/{id}': { id: 'getRun', answer: { run } },
};
