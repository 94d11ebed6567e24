import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import {
  EXPERIMENT_STATES,
  EXPERIMENT_STATUSES,
  type ExperimentEvent,
  experimentAfter,
  VARIANT_STATES,
  VARIANT_STATUSES,
  type VariantEvent,
  variantAfter,
} from '../../src/resources/experiments/states.ts';

/** The new state, or the code of the rejection. */
function outcome(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** For each state what each event leads to, in the order of the events; `-` is a rejection. */
const EXPERIMENT_EVENTS: ExperimentEvent[] = [
  'baselineAdded',
  'variantAdded',
  'baselineStarted',
  'baselineCompleted',
  'baselineFailed',
  'variantStarted',
  'variantEnded',
  'concluded',
  'archived',
];
const SAME = '=';
const EXPERIMENTS: Record<string, string> = {
  DRAFT: 'BASELINE_PENDING - - - - - - - ARCHIVED',
  BASELINE_PENDING: '- = BASELINE_RUNNING - - - - - ARCHIVED',
  BASELINE_RUNNING: '- = - BASELINE_COMPLETED BASELINE_FAILED - - - -',
  BASELINE_COMPLETED: '- = BASELINE_RUNNING - - VARIANT_RUNNING - COMPLETED ARCHIVED',
  BASELINE_FAILED: '- = BASELINE_RUNNING BASELINE_COMPLETED - - - - ARCHIVED',
  VARIANT_RUNNING: '- = - - - - IDLE - -',
  IDLE: '- = BASELINE_RUNNING - - VARIANT_RUNNING - COMPLETED ARCHIVED',
  COMPLETED: '- - - - - - - - ARCHIVED',
  ARCHIVED: '- - - - - - - - -',
};

const VARIANT_EVENTS: VariantEvent[] = [
  'started',
  'completed',
  'failed',
  'prepared',
  'withdrawn',
  'rejected',
];
const VARIANTS: Record<string, string> = {
  DRAFT: 'RUNNING - - PENDING - REJECTED',
  PENDING: 'RUNNING - - - DRAFT REJECTED',
  RUNNING: '- COMPLETED FAILED - - -',
  COMPLETED: 'RUNNING - - - - REJECTED',
  FAILED: 'RUNNING COMPLETED - - - REJECTED',
  REJECTED: '- - - - - -',
};

const expected = (table: Record<string, string>, status: string, index: number): string => {
  const next = table[status]?.split(' ')[index] ?? 'no row';
  return next === SAME ? status : next.replace('-', 'conflict');
};

describe('an experiment', () => {
  it.each(EXPERIMENT_STATUSES)('in %s', (status) => {
    const outcomes = EXPERIMENT_EVENTS.map((event) => outcome(() => experimentAfter(status, event)));
    expect(outcomes).toEqual(EXPERIMENT_EVENTS.map((_event, index) => expected(EXPERIMENTS, status, index)));
  });
});

describe('a variant', () => {
  it.each(VARIANT_STATUSES)('in %s', (status) => {
    const outcomes = VARIANT_EVENTS.map((event) => outcome(() => variantAfter(status, event)));
    expect(outcomes).toEqual(VARIANT_EVENTS.map((_event, index) => expected(VARIANTS, status, index)));
  });
});

it.each([
  ['experiments', EXPERIMENT_STATES, EXPERIMENT_STATUSES, EXPERIMENT_EVENTS],
  ['variants', VARIANT_STATES, VARIANT_STATUSES, VARIANT_EVENTS],
])('the tables of %s know no other states and events', (_of, table, statuses, events) => {
  expect(Object.keys(table)).toEqual([...statuses]);
  for (const row of Object.values(table)) {
    for (const event of Object.keys(row as object)) expect(events).toContain(event);
    for (const next of Object.values(row as object)) expect(statuses).toContain(next);
  }
});
