import { queriesOf } from '../../storage/calls.ts';
import type { resultQueries } from './store.ts';

export const { listResults, exportResults } = queriesOf<typeof resultQueries>();
