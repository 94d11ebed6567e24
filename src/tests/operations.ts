import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import { appSpans } from './app-spans.ts';
import { hasTestTouches } from '../traces/test-touches.ts';
import { type FollowHooks, followTest, type FollowTest } from './follow.ts';
import { noteArrivedSpans } from './note-spans.ts';
import { dueTests } from './store.ts';

export const completionCommands = (hooks: FollowHooks) => ({
  ...locking('global', { noteArrivedSpans }),
  ...locking('application', {
    followTest: (database: Database, args: FollowTest): boolean => followTest(database, args, hooks),
  }),
});
export type CompletionCommands = ReturnType<typeof completionCommands>;
export const completionQueries = { hasTestTouches, dueTests, appSpans };
