import { AT } from '../../contract/example-values.ts';
import { EXAMPLE_STEPS, type ExampleData } from './contract.ts';

export const exampleOfExampleData: ExampleData = {
  status: 'LOADING',
  step: 'traces',
  stepsDone: 1,
  steps: EXAMPLE_STEPS.length,
  failure: null,
  startedAt: AT,
};
