import { queriesOf } from '../../storage/calls.ts';
import type { attentionQueries } from './store.ts';

export const { needsOfPeople } = queriesOf<typeof attentionQueries>();
