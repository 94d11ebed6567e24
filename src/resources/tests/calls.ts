import { queriesOf } from '../../storage/calls.ts';
import type { exportTestQueries } from './export-store.ts';
import type { testQueries } from './store.ts';

export const { exportTests } = queriesOf<typeof exportTestQueries>();
export const { listTests, getTest, getTestNews, diagnoseTest } = queriesOf<typeof testQueries>();
