import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { viewCommands, viewQueries } from './store.ts';

export const { createView, updateView, deleteView } = commandsOf<typeof viewCommands>();
export const { getView, listViews } = queriesOf<typeof viewQueries>();
