import type { Test } from '../../api/generated/schema.ts';
import { FAILURE_NAMES, type FailureCode, hasEnded, type ListedPhase, PHASE_NAMES, PHASES } from './words.ts';

/** One step in the life of a test. */
export interface StoryStep {
  title: string;
  detail: string | null;
  /** Time when it was reached; null while it is pending. */
  at: string | null;
  /** Milliseconds since the step before; null for the first step and for pending ones. */
  gapMs: number | null;
  state: 'reached' | 'current' | 'failed' | 'pending';
}

/** Tells what happened to a test, where it is now, and which phases it has not reached. */
export function storyOf(
  test: Pick<Test, 'status' | 'phase' | 'failure' | 'timeline' | 'evals'>,
): StoryStep[] {
  const { timeline } = test;
  const happened = timeline.map(({ at, phase, detail }, index): StoryStep => {
    const before = timeline[index - 1];
    const isLast = index === timeline.length - 1;
    const failure = failureIn(phase, detail);
    return {
      title: failure === null ? titleOf(phase, before?.phase) : FAILURE_NAMES[failure],
      detail: failure === null ? detail : detail.slice(failure.length + 2),
      at,
      gapMs: before === undefined ? null : Date.parse(at) - Date.parse(before.at),
      state: failure !== null ? 'failed' : isLast && !hasEnded(test) ? 'current' : 'reached',
    };
  });
  return [...happened, ...pendingSteps(test)];
}

/** The phases that are still to come, or that a failed test never reached. */
function pendingSteps({ status, timeline, evals }: Pick<Test, 'status' | 'timeline' | 'evals'>): StoryStep[] {
  if (status === 'COMPLETED') return [];
  const reached = timeline.findLast(({ phase, detail }) => failureIn(phase, detail) === null)?.phase;
  const from = reached === undefined ? 0 : PHASES.indexOf(reached) + 1;
  return PHASES.slice(from).map((phase) => ({
    title:
      phase === 'evaluating' && evals.length > 0
        ? `Evaluating: ${definitions(evals.length)}`
        : PHASE_NAMES[phase],
    detail: null,
    at: null,
    gapMs: null,
    state: 'pending',
  }));
}

const definitions = (count: number): string => `${count} ${count === 1 ? 'definition' : 'definitions'}`;

/** Returns the code with which the detail of an ending begins; null if the test did not fail there. */
function failureIn(phase: ListedPhase, detail: string): FailureCode | null {
  if (phase !== 'done') return null;
  const [, code = ''] = /^(\w+): /.exec(detail) ?? [];
  return Object.hasOwn(FAILURE_NAMES, code) ? (code as FailureCode) : null;
}

const titleOf = (phase: ListedPhase, before: ListedPhase | undefined): string =>
  phase === 'queued' && before === 'delivering' ? 'Waiting to retry' : PHASE_NAMES[phase];
