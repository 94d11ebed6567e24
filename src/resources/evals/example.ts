import { dates, ID, owner } from '../../contract/example-values.ts';
import { exampleDefinition } from '../definitions/example.ts';
import type { ListedEval } from './contract.ts';

export const exampleListedEval: ListedEval = {
  id: ID.eval,
  ...owner,
  ...dates,
  definition: exampleDefinition,
  definitionVersion: 1,
  testId: ID.test,
  traceId: ID.trace,
  taskId: ID.task,
  exampleId: ID.example,
  runId: ID.run,
  status: 'COMPLETED',
  score: 1,
  normalisedScore: 1,
  passed: true,
  version: 1,
  superseded: false,
  inputHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  reason: 'The answer names 30 days.',
  message: 'The answer names 30 days.',
  cost: 0.0004,
  latencyMs: 640,
};
