import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { healthQueries } from './health-store.ts';
import type { applicationCommands, applicationQueries } from './store.ts';

export const { readHealth, readEndpoint } = queriesOf<typeof healthQueries>();
export const { createApplication, updateApplication } = commandsOf<ReturnType<typeof applicationCommands>>();
export const { getApplication } = queriesOf<typeof applicationQueries>();
