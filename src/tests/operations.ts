import { locking, withHooks } from '../storage/operations.ts';
import type { DeleteHooks } from '../traces/delete.ts';
import type { TraceHooks } from '../traces/purge.ts';
import { appSpans } from './app-spans.ts';
import { type FollowHooks, followTest } from './follow.ts';
import { noteArrivedSpans } from './note-spans.ts';
import { type FillHooks, fillSome, hasFill } from './outcome/fill-store.ts';
import { storeVerifiedJudges } from './outcome/verified-judges.ts';
import { type RemoveHooks, removeRuns, removeTests, testsToRemove } from './remove-tests.ts';
import { correctFutureTimes, dueTests, noteTraceDeleted } from './store.ts';

export const completionCommands = (hooks: FollowHooks & FillHooks & RemoveHooks & DeleteHooks) => {
  const hooked = withHooks(hooks);
  return {
    ...locking('leader', {
      noteArrivedSpans: hooked(noteArrivedSpans),
      correctFutureTimes,
      fillOutcomes: hooked(fillSome),
    }),
    ...locking('application', {
      followTest: hooked(followTest),
      removeTests: hooked(removeTests),
      removeRuns,
      storeVerifiedJudges,
    }),
  };
};
export const completionQueries = { dueTests, appSpans, testsToRemove, hasOutcomesToFill: hasFill };
export const completionHooks = { purgeOfTest: [noteTraceDeleted] } satisfies Partial<TraceHooks>;
