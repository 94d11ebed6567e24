import { EXAMPLE_STEPS, type ExampleData } from '../resources/example-data/contract.ts';
import type { StoredExampleData } from '../resources/example-data/record.ts';

/** Work of this process on the example data of an application. */
export type Work = 'LOADING' | 'REMOVING';

const NONE = { status: 'NONE', step: null, stepsDone: 0, failure: null, createdAt: null } as const;
const INTERRUPTED = 'The server stopped before it was done.';

/**
 * Returns the state of example data. Work in progress outranks the stored status, which may already be that of its end;
 * stored work that is not in progress was interrupted.
 */
export function exampleDataState(stored: StoredExampleData | null, work: Work | null): ExampleData {
  const { status, step, stepsDone, failure, createdAt } = stored ?? NONE;
  const common = { stepsDone, steps: EXAMPLE_STEPS.length, startedAt: createdAt };
  if (work !== null) return { ...common, status: work, step, failure: null };
  if (status === 'LOADING' || status === 'REMOVING')
    return { ...common, status: 'FAILED', step: null, failure: INTERRUPTED };
  return { ...common, status, step, failure };
}
