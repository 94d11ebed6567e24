import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { maskingCommands, maskingQueries } from './store.ts';

export const { setMasking, recordMasked } = commandsOf<typeof maskingCommands>();
export const { getMasking, maskedValues } = queriesOf<typeof maskingQueries>();
