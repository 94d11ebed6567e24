import { queriesOf } from '../../storage/calls.ts';
import type { agreementQueries } from './store.ts';

export const {
  definitionVersions,
  findDisagreements,
  showDisagreement,
  agreementStep,
  unmeasuredTargets,
  meanCost,
} = queriesOf<typeof agreementQueries>();
