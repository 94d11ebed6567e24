import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { dateTime } from '../../contract/values.ts';

export const EXAMPLE_STATUSES = ['NONE', 'LOADING', 'READY', 'FAILED', 'REMOVING'] as const;

/** Parts of the example data, in the order in which they are made. */
export const EXAMPLE_STEPS = ['definitions', 'traces', 'tests', 'experiment', 'annotations'] as const;
export type ExampleStep = (typeof EXAMPLE_STEPS)[number];

export const exampleData = namedObject('ExampleData', {
  status: z
    .enum(EXAMPLE_STATUSES)
    .describe(
      '`NONE`: the application has no example data. `FAILED`: loading or removing it stopped; what was made remains until it is removed.',
    ),
  step: z.enum(EXAMPLE_STEPS).nullable().describe('The part that is being made; null otherwise.'),
  stepsDone: z.int().describe('Number of parts that are complete.'),
  steps: z.int().describe('Number of all parts.'),
  failure: z.string().nullable().describe('Why loading or removing it stopped.'),
  startedAt: dateTime.nullable(),
});
export type ExampleData = z.output<typeof exampleData>;
