import { findDisagreements, showDisagreement } from './disagreements.ts';
import { agreementStep, meanCost, unmeasuredTargets } from './next-step.ts';
import { definitionVersions } from './versions.ts';

export const agreementQueries = {
  definitionVersions,
  findDisagreements,
  showDisagreement,
  agreementStep,
  unmeasuredTargets,
  meanCost,
};
