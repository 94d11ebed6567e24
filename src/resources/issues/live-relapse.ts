import { isoTime } from '../../contract/values.ts';
import { reach } from '../../evaluate/statistics/normal.ts';
import { correctedShare, type Corrected } from '../../evaluate/statistics/rogan-gladen.ts';
import { type FailedVerdicts, type LiveDay, liveRelapse } from '../../evaluate/statistics/relapse.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import { wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex } from '../../storage/dialect.ts';
import { type JudgeRates, judgeRates } from '../definitions/corrected-rate.ts';
import { definitions } from '../definitions/record.ts';
import {
  isJudgedByModel,
  judgeStanding,
  judgeToMeasure,
  type JudgeStanding,
} from '../definitions/standing.ts';
import type { OfJudge } from '../definitions/verdict-store.ts';
import type { Relapse } from './relapse-contract.ts';
import { type FoundRelapse, type KnownDays, NO_DAYS, type ResolvedIssue } from './resolved-issue.ts';

const DAY_MS = 86_400_000;
const NS_PER_MS = 1_000_000n;
const Z = reach(0.95);
/** Newest days of which verdicts are looked at. */
const MAX_DAYS = 91;

/**
 * Looks whether the evaluator of an issue lets more live responses fail than it does by its own errors. A judge that reviewers have not
 * verified decides nothing.
 */
export function findLiveRelapse(
  database: Database,
  { issue, known, now }: { issue: ResolvedIssue; known: KnownDays; now: number },
): FoundRelapse {
  const { application, evalDefinitionId: id } = issue;
  const definition = id === null ? undefined : definitions.pick('id', 'type').find(database, application, id);
  if (!definition) return { relapse: null, known: NO_DAYS };
  const of = judgeToMeasure(database, application, definition.id);
  const counted = countDays(database, { issue, of, known, now });
  if (counted.days.every(({ failed }) => failed === 0)) return { relapse: null, known: counted.known };
  const standing = judgeStanding(database, { application, id: definition.id, now });
  const isJudge = isJudgedByModel(definition.type);
  const relapse =
    standing === null || (isJudge && standing.isAdvisory)
      ? null
      : relapseIn(counted.days, { standing, isJudge, issue });
  return { relapse, known: counted.known };
}

interface Counting {
  issue: ResolvedIssue;
  of: OfJudge;
  known: KnownDays;
  now: number;
}

/** Counts the verdicts of each of the newest days; those that have passed are known from an earlier look. */
function countDays(
  database: Database,
  { issue, of, known, now }: Counting,
): { days: LiveDay[]; known: KnownDays } {
  const key = JSON.stringify([of.definitionId, of.version, of.judgeVersion, issue.resolvedAt]);
  const before = new Map(known.key === key ? known.days.map((one) => [one.day, one]) : []);
  const today = Math.max(0, Math.floor((now - issue.resolvedAt) / DAY_MS));
  const first = Math.max(0, today - MAX_DAYS + 1);
  const days = Array.from({ length: today - first + 1 }, (_, place): LiveDay => {
    const day = first + place;
    return before.get(day) ?? { day, ...countDay(database, { issue, of, day }) };
  });
  // Verdicts on yesterday's responses may still be on their way.
  return { days, known: { key, days: days.filter(({ day }) => day < today - 1) } };
}

/** Counts the verdicts of a day. Traces that were drawn for people measure the judge, and count nowhere else. */
function countDay(
  database: Database,
  { issue, of, day }: { issue: ResolvedIssue; of: OfJudge; day: number },
): FailedVerdicts {
  const from = issue.resolvedAt + day * DAY_MS;
  const count = database.get<FailedVerdicts>(
    `SELECT count(*) AS "of", count(*) FILTER (WHERE passed = 0) AS failed FROM eval
     WHERE application = :application AND definition_id = :definitionId AND definition_version = :version
       AND status = 'COMPLETED' AND created_at >= :from AND created_at < :to
       AND judge_version IS NOT DISTINCT FROM :judgeVersion AND test_id IS NULL AND passed IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM trace WHERE trace.application = eval.application
         AND trace.trace_id = eval.trace_id AND start_ns <= :resolvedNs)
       AND NOT EXISTS (SELECT 1 FROM annotation_queue_item AS item ${byIndex('annotation_queue_item_by_trace')}
         WHERE item.application = eval.application AND item.trace_id = eval.trace_id AND item.drawn_at IS NOT NULL)`,
    { ...of, from, to: from + DAY_MS, resolvedNs: BigInt(issue.resolvedAt) * NS_PER_MS },
  );
  return count ?? { of: 0, failed: 0 };
}

function relapseIn(
  days: readonly LiveDay[],
  { standing, isJudge, issue }: { standing: JudgeStanding; isJudge: boolean; issue: ResolvedIssue },
): Relapse | null {
  const measured = judgeRates(standing.random);
  const rates = 'code' in measured ? null : measured;
  if (isJudge && rates === null) return null;
  const found = liveRelapse(days, falseAlarmsOf(standing, rates));
  if (found === null) return null;
  const since = days.slice(found.place);
  const of = since.reduce((sum, day) => sum + day.of, 0);
  const count = since.reduce((sum, day) => sum + day.failed, 0);
  const passed = correctedPassed({ of, failed: count }, rates && measuredBy(found.reference, rates));
  // The interval is shown with the reason, so that both must say the same.
  if (passed.high >= 1) return null;
  return {
    kind: 'LIVE_RATE',
    since: isoTime(issue.resolvedAt + (since[0]?.day ?? 0) * DAY_MS),
    count,
    of,
    exampleId: null,
    taskId: null,
    runId: null,
    testId: null,
    evalDefinitionId: standing.of.definitionId,
    rate: percent(1 - passed.share),
    low: percent(1 - passed.high),
    high: percent(1 - passed.low),
  };
}

/** Returns how often the evaluator lets fail what people let pass; null for a rule that people have not contradicted. */
function falseAlarmsOf({ random }: JudgeStanding, rates: JudgeRates | null): FailedVerdicts | null {
  if (rates !== null) {
    const { share, count } = rates.truePositives;
    if (share < 1 || count === 0) return { of: count, failed: count * (1 - share) };
  }
  const { truePositives, falseNegatives } = random;
  return falseNegatives > 0 ? { of: truePositives + falseNegatives, failed: falseNegatives } : null;
}

/** Returns the rates of a judge, with all that measures how often it lets a good response pass. */
const measuredBy = (reference: FailedVerdicts | null, rates: JudgeRates): JudgeRates =>
  reference === null
    ? rates
    : { ...rates, truePositives: { share: 1 - reference.failed / reference.of, count: reference.of } };

/** Estimates the share of live responses without the problem. */
function correctedPassed(
  { of, failed }: FailedVerdicts,
  rates: JudgeRates | null,
): Omit<Corrected, 'isClamped'> {
  const passed = { share: 1 - failed / of, count: of };
  return rates === null
    ? { share: passed.share, ...wilsonInterval(passed.share, of) }
    : correctedShare({ passed, ...rates }, Z);
}
