import { queriesOf } from '../../storage/calls.ts';
import type { withheldQueries } from './store.ts';

export const { findAllWithheld, findWithheld } = queriesOf<typeof withheldQueries>();
