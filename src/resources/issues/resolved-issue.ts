import type { LiveDay } from '../../evaluate/statistics/relapse.ts';
import type { Relapse } from './relapse-contract.ts';

/** A resolved issue that may have relapsed. */
export interface ResolvedIssue {
  application: number;
  id: string;
  number: number;
  evalDefinitionId: string | null;
  /** Time when it was resolved, in Unix milliseconds. */
  resolvedAt: number;
}

/** Counts of an evaluator by the day since the issue was resolved, of days that have passed. */
export interface KnownDays {
  /** Version of the evaluator and of its judge, and time of the resolution, which the counts are of. */
  key: string;
  days: readonly LiveDay[];
}

export const NO_DAYS: KnownDays = { key: '', days: [] };

export interface FoundRelapse {
  relapse: Relapse | null;
  /** Counts of days that have passed, for the next look. */
  known: KnownDays;
}
