import { AT, ID, LATER, owner, SPAN_ID } from '../../contract/example-values.ts';
import type { ListedTest, Test } from './contract.ts';

export const exampleListedTest: ListedTest = {
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
  exampleId: ID.example,
  experimentId: null,
  experimentVariantId: null,
  result: { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null },
};

export const exampleTest: Test = {
  ...exampleListedTest,
  metadata: { channel: 'web' },
  advice: null,
  timeline: [
    { at: AT, phase: 'queued', detail: 'Triggered' },
    { at: LATER, phase: 'done', detail: 'No further spans arrived' },
  ],
  traceIds: [ID.trace],
  input: 'How long can I return a chair?',
  output: 'For 30 days.',
  inputSpanId: SPAN_ID,
  outputSpanId: SPAN_ID,
  evals: [],
};

export const exampleCancelledTest: Test = {
  ...exampleTest,
  status: 'FAILED',
  failure: { code: 'cancelled', message: 'The test was cancelled.', hint: 'Trigger the task again.' },
  timeline: [{ at: AT, phase: 'queued', detail: 'Triggered' }],
  traceIds: [],
  input: null,
  output: null,
  inputSpanId: null,
  outputSpanId: null,
};
