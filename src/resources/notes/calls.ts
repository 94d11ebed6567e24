import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { noteCommands, noteQueries } from './store.ts';

export const { createNote, updateNote, deleteNote } = commandsOf<typeof noteCommands>();
export const { getNote, listNotes } = queriesOf<typeof noteQueries>();
