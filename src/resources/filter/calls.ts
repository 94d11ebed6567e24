import { queriesOf } from '../../storage/calls.ts';
import type { filterQueries } from './store.ts';

export const { countFilterValues } = queriesOf<typeof filterQueries>();
