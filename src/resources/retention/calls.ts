import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { retentionCommands, retentionQueries } from './store.ts';

export const { setRetention, noteRetentionRun, noteEvalsUntil, saveStoredDay, releasePages } =
  commandsOf<typeof retentionCommands>();
export const {
  getRetention,
  readPolicy,
  storedDays,
  storedByOrganisation,
  daysToMeasure,
  measureBlocks,
  measureLogs,
  measureWaitingLogs,
  dueTraces,
  countPages,
  storeGrowth,
  applicationsWithTraces,
} = queriesOf<typeof retentionQueries>();
