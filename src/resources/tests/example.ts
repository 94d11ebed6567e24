import { AT, ID, LATER, owner, SPAN_ID } from '../../contract/example-values.ts';
import { exampleListedEval } from '../evals/example.ts';
import type { ListedTest, Test, TestSummary } from './contract.ts';

const summary: TestSummary = {
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
  inputDigest: '7a1d1e1f0b7dc4a2e6f0f6d0a3f5b9c8',
  exampleIndex: 0,
  exampleId: ID.example,
  exampleVersion: 2,
  experimentId: null,
  experimentVariantId: null,
  result: { passed: 1, failed: 0, total: 1, passRate: 100, averageScore: 1 },
  outcome: 'PASSED',
  outcomeBasis: 'BLOCKING',
  causeKey: null,
};

const ofTest = {
  traceId: ID.trace,
  task: { id: ID.task, title: 'Return window', topicId: ID.topic },
};

const { id, orgId, createdAt, modifiedAt, definition, status, score, passed } = exampleListedEval;

export const exampleListedTest: ListedTest = {
  ...summary,
  ...ofTest,
  evals: [
    {
      id,
      orgId,
      createdAt,
      modifiedAt,
      definition: {
        id: definition.id,
        createdAt: definition.createdAt,
        modifiedAt: definition.modifiedAt,
        name: definition.name,
        type: definition.type,
      },
      status,
      score,
      passed,
      message: exampleListedEval.reason,
    },
  ],
};

export const exampleTest: Test = {
  ...summary,
  ...ofTest,
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
  traceId: null,
  traceIds: [],
  result: null,
  outcome: 'NOT_RUN',
  outcomeBasis: null,
  causeKey: 'failure:cancelled',
  input: null,
  output: null,
  inputSpanId: null,
  outputSpanId: null,
};
