import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import { appSpans } from './app-spans.ts';
import type { OnDelete } from '../traces/delete.ts';
import { hasTestTouches } from '../traces/test-touches.ts';
import { type FollowHooks, followTest, type FollowTest } from './follow.ts';
import { noteArrivedSpansAnd } from './note-spans.ts';
import { type RemoveOfTests, removeRuns, removeTestsAnd, testsToRemove } from './remove-tests.ts';
import { correctFutureTimes, dueTests } from './store.ts';

export interface CompletionHooks extends FollowHooks {
  /** Called before a trace of an erased test is deleted. */
  onDelete: OnDelete;
}

export const completionCommands = (hooks: CompletionHooks, removeOfTests: readonly RemoveOfTests[]) => ({
  ...locking('global', { noteArrivedSpans: noteArrivedSpansAnd(hooks.onDelete), correctFutureTimes }),
  ...locking('application', {
    followTest: (database: Database, args: FollowTest): boolean => followTest(database, args, hooks),
    removeTests: removeTestsAnd(removeOfTests),
    removeRuns,
  }),
});
export const completionQueries = { hasTestTouches, dueTests, appSpans, testsToRemove };
