import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { exportQueries } from './export-store.ts';
import type { importDefinitionCommands } from './import-definitions.ts';
import type { importCommands, importQueries } from './import-store.ts';
import type { exampleCommands, exampleQueries } from './store.ts';

export const { exportExamples } = queriesOf<typeof exportQueries>();
export const { linkImportDefinitions } = commandsOf<typeof importDefinitionCommands>();
export const { importExamples } = commandsOf<typeof importCommands>();
export const { getPromptSchema } = queriesOf<typeof importQueries>();
export const { createExample, updateExample, deleteExample } = commandsOf<typeof exampleCommands>();
export const { getExample, listExamples, listExampleVersions } = queriesOf<typeof exampleQueries>();
