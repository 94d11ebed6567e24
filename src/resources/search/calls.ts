import { queriesOf } from '../../storage/calls.ts';
import type { searchQueries } from './store.ts';

export const { searchRecords } = queriesOf<typeof searchQueries>();
