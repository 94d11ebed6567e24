import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { tagCommands, tagQueries } from './store.ts';

export const { createTag, updateTag, deleteTag, changeTaskTags, replaceTaskTags } =
  commandsOf<typeof tagCommands>();
export const { getTag, listTags, listTaskTags } = queriesOf<typeof tagQueries>();
