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

const repeats = { groups: 1, k: 3, passPowK: 30, passAtK: 100, flakiness: 100 };
const compared = {
  tests: 40,
  unfinished: 0,
  errors: 0,
  passRate: 70,
  passRateInterval: { low: 54.6, high: 81.9 },
};
const means = { pairs: 2, baseline: 50, candidate: 100, difference: 50 };
const comparison = {
  confidence: 0.95,
  definitionId: null,
  baseline: compared,
  candidates: [
    {
      ...compared,
      passRate: 85,
      passRateInterval: { low: 70.9, high: 92.9 },
      pairs: 40,
      onlyInBaseline: 0,
      onlyInCandidate: 0,
      difference: {
        baseline: 70,
        candidate: 85,
        estimate: 15,
        low: 1.2,
        high: 28.9,
        method: 'MCNEMAR_EXACT',
        reason:
          'Each task and input example has one test on each side, which passed or failed as a whole; few pairs differ: the exact test.',
        pValue: 0.0703125,
        adjustedPValue: 0.0703125,
      },
      effectSize: { riskDifference: 0.15, oddsRatio: 2.42857142857, cohensD: 0.36 },
      tasks: {
        better: 1,
        worse: 0,
        same: 19,
        mostImproved: [{ taskId: ID.task, title: 'How long is the return window?', ...means }],
        mostWorsened: [],
      },
      definitions: [{ id: ID.definition, name: 'Names the return window', type: 'CUSTOM', ...means }],
    },
  ],
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
  'GET /v0/runs/{id}': { id: 'getRun', answer: { run: { ...run, repeats } } },
  'POST /v0/runs/compare': {
    id: 'compareRuns',
    body: {
      baseline: { runIds: [ID.run] },
      candidates: [{ variantId: ID.variant }],
      definitionId: ID.definition,
    },
    answer: { data: comparison },
  },
};
