import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { erasureCommands, erasureQueries } from './store.ts';

export const { createErasure, eraseSome, completeErasure } = commandsOf<ReturnType<typeof erasureCommands>>();
export const { getErasure, listErasures, pendingErasure } = queriesOf<typeof erasureQueries>();
