import { queriesOf } from '../../storage/calls.ts';
import type { reportingQueries } from './store.ts';

export const { runReport, listColumnValues } = queriesOf<typeof reportingQueries>();
