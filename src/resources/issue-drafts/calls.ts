import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { draftQueries } from './draft-store.ts';
import type { groupQueries } from './group-store.ts';
import type { measureCommands, measureQueries } from './measure-store.ts';

export const { notesToGroup, issuesToOffer } = queriesOf<typeof groupQueries>();
export const { draftBrief } = queriesOf<typeof draftQueries>();
export const { measureSample } = queriesOf<typeof measureQueries>();
export const { noteMeasured } = commandsOf<typeof measureCommands>();
