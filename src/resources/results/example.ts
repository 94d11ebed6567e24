import { ID } from '../../contract/example-values.ts';
import type { Results } from './contract.ts';

const cause = { key: `verdict:${ID.definition}`, title: 'Names the return window: did not pass' };

export const exampleResults: Results = {
  data: [
    {
      taskId: ID.task,
      exampleId: ID.example,
      exampleIndex: 0,
      input: 'How long can I return a chair?',
      expected: '30 days',
      isExampleDeleted: false,
      change: null,
      isOutputChanged: null,
      sides: [
        {
          side: 0,
          tests: 1,
          passed: 0,
          outcome: 'FAILED',
          testId: ID.test,
          traceId: ID.trace,
          output: 'For 14 days.',
          isTruncated: false,
          cause,
          verdicts: [
            {
              evalId: ID.eval,
              definitionId: ID.definition,
              status: 'COMPLETED',
              passed: false,
              score: 0,
              reason: 'The response says 14 days.',
              citations: [{ start: 4, end: 11 }],
            },
          ],
          durationMs: 1800,
          cost: 0.0041,
          tokens: 930,
        },
      ],
    },
  ],
  pagination: { skip: 0, limit: 100, total: 1, totalPages: 1 },
  columns: [
    {
      definitionId: ID.definition,
      name: 'Names the return window',
      type: 'CUSTOM',
      isBlocking: true,
      min: 0,
      max: 1,
    },
  ],
  facets: {
    outcomes: { FAILED: 1, APP_ERROR: 0, NO_VERDICT: 0, NOT_RUN: 0, RUNNING: 0, PASSED: 0 },
    changes: { REGRESSED: 0, FIXED: 0, BOTH_FAILED: 0, ONE_SIDE: 0, BOTH_PASSED: 0, OUTPUT_CHANGED: 0 },
    causes: [{ ...cause, outcome: 'FAILED', count: 1 }],
    definitions: [{ id: ID.definition, passed: 0, failed: 1, none: 0 }],
  },
};
