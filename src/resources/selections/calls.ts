import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { selectionCommands, selectionQueries } from './store.ts';

export const { selectTracesOfResults, selectTraces, selectExamplesOfResults } =
  queriesOf<typeof selectionQueries>();
export const { makeTraceExamples } = commandsOf<typeof selectionCommands>();
