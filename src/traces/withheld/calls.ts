import { queriesOf } from '../../storage/calls.ts';
import type { withheldQueries } from './store.ts';

export const { findWithheld } = queriesOf<typeof withheldQueries>();
