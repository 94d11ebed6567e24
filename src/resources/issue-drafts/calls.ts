import { queriesOf } from '../../storage/calls.ts';
import type { groupQueries } from './group-store.ts';

export const { notesToGroup, issuesToOffer } = queriesOf<typeof groupQueries>();
