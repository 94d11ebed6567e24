import { randomBytes, randomUUID } from 'node:crypto';
import type { MadeRecords } from '../resources/example-data/record.ts';
import { readLines, readRecords, type Records } from './recording.ts';

/** Example data before it is stored: its recording, and the ids of all records that are made of it. */
export interface ExampleDataPlan {
  made: MadeRecords;
  records: Records;
  /** Recorded traces: of live traffic, in the order of their ids, and of responses to tests. */
  traffic: string[];
  responses: string[];
}

export async function planExampleData(): Promise<ExampleDataPlan> {
  const records = readRecords();
  const [traffic, responses] = await Promise.all([readLines('traffic'), readLines('responses')]);
  const idsFor = (planned: readonly unknown[]): string[] => planned.map(() => randomUUID());
  const made = {
    webhookId: randomUUID(),
    definitionIds: idsFor(records.definitions),
    topicIds: idsFor(records.topics),
    taskIds: idsFor(records.tasks),
    experimentId: randomUUID(),
    variantIds: idsFor(records.variants),
    queueId: randomUUID(),
    issueId: randomUUID(),
    // Ids of deleted traces stay rejected, so a second load needs others.
    traceIds: traffic.map(() => randomBytes(16).toString('hex')),
  };
  return { made, records, traffic, responses };
}
