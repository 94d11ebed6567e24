import { isoTime } from '../../contract/values.ts';
import type { JudgeWait } from '../../evaluate/judge/judge.ts';
import type { RunWait } from './contract.ts';

/** Returns the wait of a run for a judge, with a forecast: each eval needs one request or more. */
export function waitOf({ judge, pausedMs, ratePerSecond }: JudgeWait, evals: number, now: number): RunWait {
  return {
    judge,
    evals,
    pausedUntil: pausedMs > 0 ? isoTime(Math.round(now + pausedMs)) : null,
    requestsPerMinute: ratePerSecond === null ? null : Math.round(ratePerSecond * 600) / 10,
    forecast:
      ratePerSecond === null ? null : isoTime(Math.round(now + pausedMs + (evals * 1_000) / ratePerSecond)),
  };
}
