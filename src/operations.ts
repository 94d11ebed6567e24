import { SCOPES } from './contract/scope.ts';
import { apiKeyCommands, apiKeyQueries, insertKey } from './resources/api-keys/store.ts';
import { applicationCommands, applicationQueries } from './resources/applications/store.ts';
import { ingestQueries } from './resources/ingest/store.ts';
import { traceCommands, traceQueries } from './traces/operations.ts';

/** Everything the writer thread can do. */
export const commands = {
  ...apiKeyCommands,
  ...applicationCommands((database, key) => insertKey(database, { ...key, scopes: SCOPES, expiresAt: null })),
  ...traceCommands,
};

/** Everything the reader threads can do. */
export const queries = { ...apiKeyQueries, ...applicationQueries, ...ingestQueries, ...traceQueries };
