import { queriesOf } from '../../storage/calls.ts';
import type { tryQueries } from './store.ts';

export const { tryCandidates, triedDefinition, loadCandidate, isTriable } = queriesOf<typeof tryQueries>();
