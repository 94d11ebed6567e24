import { asIs, json, nullable, number, text } from '../../storage/column.ts';
import { type FieldsOf, record } from '../../storage/record.ts';
import type { EXAMPLE_STATUSES, ExampleStep } from './contract.ts';

/** Ids of all records of example data. They are stored before any of these is made. */
export interface MadeRecords {
  webhookId: string;
  definitionIds: string[];
  topicIds: string[];
  taskIds: string[];
  experimentId: string;
  variantIds: string[];
  queueId: string;
  issueId: string;
  /** Ids of the live traces, 32 hex digits each. Traces of tests are found by their tasks. */
  traceIds: string[];
}

/** The example data of an application, at most one row. */
export const exampleDataRows = record('example_data', 'example data', {
  status: asIs<Exclude<(typeof EXAMPLE_STATUSES)[number], 'NONE'>>(),
  step: nullable(asIs<ExampleStep>()),
  stepsDone: number,
  failure: nullable(text),
  made: json<MadeRecords>(),
});
export type StoredExampleData = FieldsOf<typeof exampleDataRows>;
