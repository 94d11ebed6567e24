import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { exampleDataCommands, exampleDataQueries } from './store.ts';

export const { beginExampleData, noteExampleStep, endExampleData, beginExampleRemoval, forgetExampleData } =
  commandsOf<typeof exampleDataCommands>();
export const { getExampleData, keptExampleRecords, annotationsOfQueue } =
  queriesOf<typeof exampleDataQueries>();
