import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { decisionCommands, decisionQueries } from './decision-store.ts';
import type { evidenceQueries } from './evidence-store.ts';
import type { releaseCommands } from './release.ts';
import type { runSetCommands, runSetQueries } from './store.ts';

export const { createRunSet, continueRunSet, cancelRunSet, startNextBatch } =
  commandsOf<ReturnType<typeof runSetCommands>>();
export const { releaseRunSet } = commandsOf<typeof releaseCommands>();
export const { recordDecision } = commandsOf<typeof decisionCommands>();
export const { gatesToFix, getRunSet, getRunSetSnapshot, listRunSets } = queriesOf<typeof runSetQueries>();
export const { evidenceHead, evidenceTests } = queriesOf<typeof evidenceQueries>();
export const { decideRunSet } = queriesOf<typeof decisionQueries>();
