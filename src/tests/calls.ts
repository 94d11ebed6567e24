import { commandsOf, queriesOf } from '../storage/calls.ts';
import type { completionCommands, completionQueries } from './operations.ts';

export const {
  noteArrivedSpans,
  correctFutureTimes,
  followTest,
  removeTests,
  removeRuns,
  fillOutcomes,
  storeVerifiedJudges,
} = commandsOf<ReturnType<typeof completionCommands>>();
export const { dueTests, appSpans, testsToRemove, hasOutcomesToFill } = queriesOf<typeof completionQueries>();
