import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { topicCommands, topicQueries } from './store.ts';

export const { createTopic, updateTopic, archiveTopic, removeTopic, archiveTasksOfTopic } =
  commandsOf<ReturnType<typeof topicCommands>>();
export const { getTopic, listTopics } = queriesOf<typeof topicQueries>();
