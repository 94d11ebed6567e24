import { AT, ID, LATER, owner } from '../../contract/example-values.ts';
import type { RunComparison, SideMetrics } from './compare-contract.ts';
import type { Run } from './contract.ts';

export const exampleRun: Run = {
  id: ID.run,
  ...owner,
  createdAt: AT,
  modifiedAt: LATER,
  taskId: ID.task,
  type: 'MANUAL',
  experimentVariantId: null,
  threadId: null,
  tests: { total: 1, pending: 0, inProgress: 0, completed: 1, failed: 0, judged: 1, skipped: 0 },
  evals: [],
  result: { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null },
};

const side: SideMetrics = {
  tests: 40,
  unfinished: 0,
  errors: 0,
  passRate: 70,
  passRateInterval: { low: 54.6, high: 81.9 },
};
const means = { pairs: 2, baseline: 50, candidate: 100, difference: 50 };

export const exampleComparison: RunComparison = {
  confidence: 0.95,
  definitionId: null,
  baseline: side,
  candidates: [
    {
      ...side,
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
          'Each task and input example has one test on each side, which passed or failed completely; few pairs differ: the exact test.',
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
