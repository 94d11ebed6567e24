import { describe, expect, it } from 'vitest';
import { storyOf } from '../../src/dashboard/tests/story.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 21, 10, 4, seconds)).toISOString();
const begun = [
  { at: at(0), phase: 'queued' as const, detail: 'The test was started.' },
  { at: at(1), phase: 'delivering' as const, detail: 'Attempt 1 was sent.' },
];
const brief = (test: Parameters<typeof storyOf>[0]): string[] =>
  storyOf(test).map(({ title, state, gapMs }) => `${title}: ${state}${gapMs === null ? '' : ` +${gapMs}`}`);
const failure = (code: 'trace_missing' | 'webhook_unreachable') => ({
  code,
  message: 'It failed.',
  hint: 'Mend it.',
});

describe('the phases of a test', () => {
  it('ends with the phases that are still to come', () => {
    const test = {
      status: 'IN_PROGRESS',
      phase: 'delivering',
      failure: null,
      timeline: begun,
      evals: [],
    } as const;
    expect(brief({ ...test, timeline: [...begun], evals: [] })).toEqual([
      'Queued: reached',
      'Delivering: current +1000',
      'Delivered: pending',
      'Trace received: pending',
      'Evaluating: pending',
      'Done: pending',
    ]);
  });

  it('shows where it failed, and what it never reached', () => {
    const timeline = [
      ...begun,
      { at: at(3), phase: 'delivered' as const, detail: 'The webhook responded with 200.' },
      { at: at(603), phase: 'done' as const, detail: 'trace_missing: No span arrived: none at all.' },
    ];
    const steps = storyOf({
      status: 'FAILED',
      phase: 'done',
      failure: failure('trace_missing'),
      timeline,
      evals: [],
    });
    expect(steps.map(({ title, state }) => `${title}: ${state}`)).toEqual([
      'Queued: reached',
      'Delivering: reached',
      'Delivered: reached',
      'No trace arrived in time: failed',
      'Trace received: pending',
      'Evaluating: pending',
      'Done: pending',
    ]);
    expect(steps[3]).toMatchObject({ detail: 'No span arrived: none at all.', gapMs: 600_000 });
  });

  it('names the wait between two attempts', () => {
    const timeline = [
      ...begun,
      { at: at(2), phase: 'queued' as const, detail: 'Refused. The delivery is retried.' },
    ];
    const test = { status: 'IN_PROGRESS', phase: 'queued', failure: null, timeline, evals: [] } as const;
    expect(brief({ ...test, timeline, evals: [] }).slice(2, 4)).toEqual([
      'Waiting to retry: current +1000',
      'Delivering: pending',
    ]);
  });

  it('continues after a failure that a replay ended', () => {
    const timeline = [
      ...begun,
      { at: at(2), phase: 'done' as const, detail: 'webhook_unreachable: It failed.' },
      { at: at(9), phase: 'delivered' as const, detail: 'A replay was answered with 200; the test resumes.' },
      { at: at(9), phase: 'trace_received' as const, detail: 'Spans of the app arrived.' },
      { at: at(12), phase: 'done' as const, detail: 'The trace is complete.' },
    ];
    expect(brief({ status: 'COMPLETED', phase: 'done', failure: null, timeline, evals: [] })).toEqual([
      'Queued: reached',
      'Delivering: reached +1000',
      'The app was not reached: failed +1000',
      'Delivered: reached +7000',
      'Trace received: reached +0',
      'Done: reached +3000',
    ]);
  });

  it('takes a word before a colon for a code only if there is such a failure', () => {
    const timeline = [...begun, { at: at(2), phase: 'done' as const, detail: 'constructor: is no code' }];
    const [, , last] = storyOf({ status: 'COMPLETED', phase: 'done', failure: null, timeline, evals: [] });
    expect(last).toMatchObject({ title: 'Done', detail: 'constructor: is no code', state: 'reached' });
  });
});
