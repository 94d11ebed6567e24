import { AT, ID, LATER, owner } from '../../contract/example-values.ts';
import type { ShownRateInterval } from '../tests/rate-interval.ts';
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
  runSetId: null,
  promptSeed: null,
  threadId: null,
  tests: { total: 1, pending: 0, inProgress: 0, completed: 1, failed: 0, judged: 1, skipped: 0 },
  evals: [],
  result: { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null },
  passRateInterval: null,
  outcomes: { passed: 1, failed: 0, appError: 0, noVerdict: 0, notRun: 0, running: 0 },
  outcomeInterval: null,
};

const interval: ShownRateInterval = {
  low: 53.5,
  high: 83.4,
  question: 'EXAMPLES_LIKE_THESE',
  clusteredBy: 'EXAMPLE',
  clusters: 40,
  examples: 40,
  tests: 40,
  method: 'GAFFKE',
};

const side: SideMetrics = {
  tests: 40,
  unfinished: 0,
  errors: 0,
  tracesDeleted: 0,
  passRate: 70,
  passRateInterval: interval,
};
const means = { pairs: 2, baseline: 50, candidate: 100, difference: 50 };

export const exampleComparison: RunComparison = {
  confidence: 0.95,
  question: 'EXAMPLES_LIKE_THESE',
  definitionId: null,
  baseline: side,
  candidates: [
    {
      ...side,
      passRate: 85,
      passRateInterval: { ...interval, low: 70.2, high: 94.3 },
      pairs: 40,
      onlyInBaseline: 0,
      onlyInCandidate: 0,
      judgedOtherwise: 0,
      pairedShare: 100,
      unpaired: [],
      difference: {
        baseline: 70,
        candidate: 85,
        estimate: 15,
        low: 1.2,
        high: 28.9,
        question: 'EXAMPLES_LIKE_THESE',
        clusteredBy: 'EXAMPLE',
        clusters: 40,
        method: 'SIGN_FLIP',
        highIfNonePassed: -54.1,
        smallestLoss: 13.9,
        reason: 'Tests of one example are not independent: 40 examples are 40 observations.',
        pValue: 0.0703125,
        adjustedPValue: 0.0703125,
        falseDiscoveryPValue: 0.0703125,
      },
      effectSize: { riskDifference: 0.15, oddsRatio: 2.42857142857, cohensD: 0.36 },
      tasks: {
        better: 1,
        worse: 0,
        same: 19,
        mostImproved: [{ taskId: ID.task, title: 'How long is the return window?', ...means }],
        mostWorsened: [],
      },
      definitions: [
        {
          id: ID.definition,
          name: 'Names the return window',
          type: 'CUSTOM',
          isAdvisory: true,
          ...means,
          correctedBaseline: null,
          correctedCandidate: null,
        },
      ],
    },
  ],
};
