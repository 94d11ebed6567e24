import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { apiKeyCommands, apiKeyQueries } from './store.ts';

export const { createKey, revokeKey } = commandsOf<typeof apiKeyCommands>();
export const { findKey, listKeys } = queriesOf<typeof apiKeyQueries>();
