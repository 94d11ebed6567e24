import type { ClusterSums } from '../../evaluate/statistics/clusters.ts';
import { type CorrectedRate, correctedRateOf, isOf } from './corrected-rate.ts';
import type { JudgeStanding } from './standing.ts';

/** Sums over the evals of a group by one definition, and the versions that made them. */
export interface JudgedSumsRow extends ClusterSums {
  lowestVersion: number;
  highestVersion: number;
  /** Smallest and greatest version of the judge; null if no model made the evals. */
  lowestJudge: string | null;
  highestJudge: string | null;
  /** Number of evals that no model made. */
  others: number;
}

/**
 * Returns SQL that sums evals by their examples: one row for each value of `by`. `source` selects `by`, `task_id`,
 * `example_id`, `passed`, `version` and `judge`, the version of the judge, of completed evals.
 */
export const judgedSums = (source: string, by: readonly string[]): string => `
  SELECT ${by.join(', ')}, count(*) AS clusters, sum(n) AS "values", sum(s) AS "sum", sum(n * n) AS "squaredCounts",
    sum(n * s) AS products, sum(s * s) AS "squaredSums", min(low) AS "lowestVersion", max(high) AS "highestVersion",
    min(first) AS "lowestJudge", max(last) AS "highestJudge", sum(others) AS others
  FROM (
    SELECT ${by.join(', ')}, count(*) AS n, sum(passed) AS s, min(version) AS low, max(version) AS high,
      min(judge) AS first, max(judge) AS last, count(*) FILTER (WHERE judge IS NULL) AS others
    FROM ${source} GROUP BY ${by.join(', ')}, task_id, example_id)
  GROUP BY ${by.join(', ')}`;

/** Corrects the pass rate of a group of evals by one definition with a valid gate. */
export function correctedRateOfSums(standing: JudgeStanding | undefined, row: JudgedSumsRow): CorrectedRate {
  const { lowestVersion: version, highestVersion, lowestJudge: judgeVersion, highestJudge, others } = row;
  const haveOneJudge = judgeVersion === highestJudge && (others === 0 || judgeVersion === null);
  const areAlike = version === highestVersion && haveOneJudge;
  return correctedRateOf(standing, {
    sums: row,
    areCurrent: areAlike && isOf(standing, { version, judgeVersion }),
  });
}

/** Reports whether models other than the judge with the valid gate made some of the evals of a group. */
export const isOfOtherJudge = (
  judgeVersion: string | null,
  { lowestJudge, highestJudge }: Pick<JudgedSumsRow, 'lowestJudge' | 'highestJudge'>,
): boolean => lowestJudge !== null && (lowestJudge !== judgeVersion || highestJudge !== judgeVersion);
