import { dates, ID, LATER, owner } from '../../contract/example-values.ts';
import { exampleComparison } from '../runs/example.ts';
import type { RunSet, RunSetSnapshot } from './contract.ts';
import type { Decision, DecisionRule } from './decision-contract.ts';

const rule: DecisionRule = {
  failUnder: 90,
  strict: false,
  allowSkipped: 0,
  question: 'EXAMPLES_LIKE_THESE',
  equalTasks: false,
  withAdvisory: false,
  margin: null,
  minPaired: 80,
  findLoss: 50,
};

const provenance = {
  title: 'Build 118',
  commit: '61199d6c5f8a2b7e4d3c1a0f9e8d7c6b5a493827',
  branch: 'main',
  pullRequest: null,
  buildUrl: 'https://ci.example.com/builds/118',
  author: 'ada',
  metadata: { model: 'small-2' },
};

export const exampleRunSetBody = {
  taskIds: [ID.task],
  examples: {},
  repeat: 1,
  ...provenance,
  baseline: 'previous',
};

export const exampleRunSet: RunSet = {
  id: ID.runSet,
  ...owner,
  ...dates,
  ...provenance,
  status: 'COMPLETED',
  repeat: 1,
  runIds: [ID.run],
  tests: { total: 40, open: 0 },
  canaries: { total: 20, open: 0 },
  examples: 40,
  untilSure: null,
  result: { passed: 34, failed: 6, total: 40, passRate: 85, averageScore: 0.85 },
  baselineId: null,
  decision: {
    outcome: 'FAIL',
    at: LATER,
    rule,
    rate: 85,
    baselineId: null,
    baselineRunIds: [],
    advisoryIds: [],
  },
};

export const exampleSnapshot: RunSetSnapshot = {
  definitions: [
    { id: ID.definition, version: 3, name: 'Names the return window', type: 'CUSTOM', judgeVersion: null },
  ],
  tasks: [{ taskId: ID.task, definitionIds: [ID.definition], examples: [{ id: ID.example, version: 2 }] }],
};

const message =
  'Failed: the pass rate 85 % (95 % interval 70.1 % to 94.3 %, 40 tests of 40 examples) is below 90 %.';

export const exampleDecision: Decision = {
  runSetId: ID.runSet,
  outcome: 'FAIL',
  reasons: [message],
  gates: [{ of: 'LINE', outcome: 'FAIL', message }],
  rule,
  tests: 40,
  judged: 40,
  rate: {
    rate: 85,
    low: 70.1,
    high: 94.3,
    question: 'EXAMPLES_LIKE_THESE',
    clusteredBy: 'EXAMPLE',
    clusters: 40,
    examples: 40,
    tests: 40,
    method: 'GAFFKE',
  },
  advisory: [],
  judgedAgain: [],
  onlyInBaseline: [],
  canaries: [
    {
      id: ID.definition,
      name: 'Polite',
      canaries: 20,
      open: 0,
      compared: 20,
      toPassed: 1,
      toFailed: 0,
      changed: { rate: 5, low: 0.9, high: 23.6 },
      isShifted: false,
    },
  ],
  baselineId: null,
  baselineRunIds: [ID.run],
  comparison: exampleComparison,
};
