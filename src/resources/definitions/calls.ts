import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { canaryCommands, canaryQueries } from './canary-store.ts';
import type { definitionLinkCommands } from './link-store.ts';
import type { reliabilityQueries } from './reliability.ts';
import type { definitionCommands, definitionQueries } from './store.ts';
import type { verifiedJudgeQueries } from './verified-judges-store.ts';

export const {
  linkDefinitionsToTargets,
  checkDefinitionLinks,
  unlinkDefinitionsFromTargets,
  linkDefinitionsToApplication,
  unlinkDefinitionsFromApplication,
} = commandsOf<typeof definitionLinkCommands>();
export const { getReliability } = queriesOf<typeof reliabilityQueries>();
export const { createDefinition, updateDefinition, deleteDefinition } =
  commandsOf<typeof definitionCommands>();
export const { getDefinition, listDefinitions, checkSchemas } = queriesOf<typeof definitionQueries>();
export const { freezeCanaries, endCanary, endCanaries } = commandsOf<typeof canaryCommands>();
export const { pendingCanaries, findCanaryWork, isCanaryWaiting } = queriesOf<typeof canaryQueries>();
export const { changedJudges } = queriesOf<typeof verifiedJudgeQueries>();
