import { commandsOf, queriesOf } from '../storage/calls.ts';
import type { completionCommands, completionQueries } from './operations.ts';

export const { noteArrivedSpans, correctFutureTimes, followTest, removeTests, removeRuns } =
  commandsOf<ReturnType<typeof completionCommands>>();
export const { dueTests, appSpans, testsToRemove } = queriesOf<typeof completionQueries>();
