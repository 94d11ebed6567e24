import type { Database } from '../storage/database.ts';
import { dayOf, dayOfKey, type TraceKey } from './trace-keys.ts';

/** Hooks of features that count the stored traces of a day. */
export interface DayHooks {
  /** Called with earlier days whose stored traces have changed. */
  onDaysChanged: readonly ((
    database: Database,
    args: { application: number; days: readonly number[] },
  ) => void)[];
}

/** Days whose traces change after the day is over, when they may have been counted already. */
export class EarlierDays {
  private readonly days = new Map<number, Set<number>>();

  /** Adds the day on which a trace arrived, if it is before that of `at` (Unix milliseconds). */
  add({ application, tkey }: TraceKey, at: number): void {
    const day = dayOfKey(tkey);
    if (day >= dayOf(at)) return;
    const days = this.days.get(application);
    if (days) days.add(day);
    else this.days.set(application, new Set([day]));
  }

  report(database: Database, { onDaysChanged }: DayHooks): void {
    for (const [application, days] of this.days)
      for (const onChanged of onDaysChanged) onChanged(database, { application, days: [...days] });
  }
}
