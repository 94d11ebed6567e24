import { randomUUID } from 'node:crypto';
import type { MadeRecords } from '../resources/example-data/record.ts';
import { shopTraces } from './shop-traces.ts';
import type { OtlpTrace } from './trace-builder.ts';

const TRACES = 300;

export const DEFINITIONS: readonly (readonly [name: string, assertions: readonly object[]])[] = [
  ['Helps', [{ type: 'contains-none', value: ['cannot help'] }]],
  ['Is brief', [{ type: 'word-count', value: { max: 40 } }]],
  ['Names the order', [{ type: 'contains', value: '4711' }]],
];

interface ExampleTask {
  topic: string;
  title: string;
  prompts: string[];
}

export const TASKS: readonly ExampleTask[] = [
  {
    topic: 'Refunds',
    title: 'Refund within 30 days',
    prompts: ['I want my money back', 'How do I get a refund?'],
  },
  {
    topic: 'Refunds',
    title: 'Refund of a broken vase',
    prompts: ['My vase arrived broken', 'It is broken, I want my money back'],
  },
  {
    topic: 'Shipping',
    title: 'Find a parcel',
    prompts: ['Where is my parcel 4711?', 'When does my order arrive?'],
  },
  {
    topic: 'Shipping',
    title: 'Change the delivery address',
    prompts: ['Can I change the delivery address?'],
  },
  { topic: 'Accounts', title: 'Reset a password', prompts: ['I forgot my password'] },
];

export const TOPICS = [...new Set(TASKS.map(({ topic }) => topic))];

/** Variants of the experiment: each uses one model; the first is the baseline. */
export const VARIANTS = [
  { title: 'Baseline', model: null },
  { title: 'gpt-5.4', model: 'gpt-5.4' },
  { title: 'claude-opus-5', model: 'claude-opus-5' },
] as const;

/** Example data before it is stored: the ids of all its records, and its live traces. */
export interface Plan {
  made: MadeRecords;
  traces: OtlpTrace[];
}

export function planExampleData(now: number): Plan {
  const traces = shopTraces(TRACES, now);
  const idsFor = (records: readonly unknown[]): string[] => records.map(() => randomUUID());
  return {
    traces,
    made: {
      webhookId: randomUUID(),
      definitionIds: idsFor(DEFINITIONS),
      topicIds: idsFor(TOPICS),
      taskIds: idsFor(TASKS),
      experimentId: randomUUID(),
      variantIds: idsFor(VARIANTS),
      queueId: randomUUID(),
      traceIds: traces.map(({ traceId }) => traceId),
    },
  };
}
