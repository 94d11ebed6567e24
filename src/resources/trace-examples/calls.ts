import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { traceExampleCommands, traceExampleQueries } from './store.ts';

export const { makeTraceExample } = commandsOf<typeof traceExampleCommands>();
export const { readTraceTexts } = queriesOf<typeof traceExampleQueries>();
