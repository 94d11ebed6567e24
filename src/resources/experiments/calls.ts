import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { experimentCommands, experimentQueries } from './store.ts';
import type { variantCommands, variantQueries } from './variant-store.ts';

export const { createExperiment, updateExperiment, removeExperiment } =
  commandsOf<typeof experimentCommands>();
export const { getExperiment, listExperiments } = queriesOf<typeof experimentQueries>();
export const { createVariant, updateVariant, runVariant, startVariantTests, endVariantStart } =
  commandsOf<typeof variantCommands>();
export const { getVariant, listVariants } = queriesOf<typeof variantQueries>();
