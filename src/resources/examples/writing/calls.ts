import { commandsOf, queriesOf } from '../../../storage/calls.ts';
import type { writingCommands, writingQueries } from './store.ts';

export const { storeWritten, assignPrompts, rejectUnwritten } =
  commandsOf<ReturnType<typeof writingCommands>>();
export const { promptBrief, writtenPrompts } = queriesOf<typeof writingQueries>();
