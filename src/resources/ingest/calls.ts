import { queriesOf } from '../../storage/calls.ts';
import type { ingestQueries } from './store.ts';

export const { listLedger, listRejections, lookUpSpan } = queriesOf<typeof ingestQueries>();
