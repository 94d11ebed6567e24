import type { DerivedRows } from '../storage/derived-rows.ts';
import { isoDayOf, jsonField } from '../storage/dialect.ts';
import { RATED_TYPES } from './score-scale.ts';

const TOLERANCE = 1e-6;

interface EvalKey {
  application: number;
  id: string;
}

const RATED = RATED_TYPES.map((type) => `'${type}'`).join(', ');
const MIN = `CAST(${jsonField('results', 'scale', 'min')} AS REAL)`;
const MAX = `CAST(${jsonField('results', 'scale', 'max')} AS REAL)`;
/** Score from 0 to 1; null if the scale is unknown, because the results were deleted with a trace. */
const NORMALISED = `CASE WHEN definition_type IN (${RATED}) THEN (score - 1) / 4.0
  WHEN definition_type = 'HTTP' THEN score
  WHEN results IS NULL THEN NULL
  WHEN ${MAX} > ${MIN} THEN (score - ${MIN}) / (${MAX} - ${MIN}) ELSE score END`;

/** The score from 0 to 1 in the row of an eval, of which metrics are computed. */
const normalisedScores: DerivedRows<EvalKey> = {
  what: 'normalised scores',
  find: (database, limit) =>
    database.all<EvalKey>(
      `SELECT application, id FROM eval WHERE status = 'COMPLETED' AND score IS NOT NULL
         AND abs(coalesce(normalised, -1) - ${NORMALISED}) > ${TOLERANCE} LIMIT :limit`,
      { limit },
    ),
  describe: ({ id }) => ({ of: `eval ${id}`, fault: 'its normalised score is not that of its score' }),
  repair: (database, { application, id }) =>
    void database.run(
      `UPDATE eval SET normalised = ${NORMALISED} WHERE application = :application AND id = :id`,
      { application, id },
    ),
};

interface JudgeDay {
  application: number;
  day: string;
  cost: number;
}

/**
 * The cost of judges on a day. Calls of deleted applications are gone, so it may be more than their sum, and never less. Days
 * without a row are older than the table.
 */
const judgeDays: DerivedRows<JudgeDay> = {
  what: 'costs of judges',
  find: (database, limit) =>
    database.all<JudgeDay>(
      `SELECT made.application, made.day, made.cost FROM (
         SELECT application, ${isoDayOf('created_at')} AS day, sum(cost) AS cost
         FROM judge_call WHERE cost IS NOT NULL GROUP BY 1, 2) AS made
       JOIN judge_day ON judge_day.application = made.application AND judge_day.day = made.day
       WHERE judge_day.cost < made.cost - ${TOLERANCE} LIMIT :limit`,
      { limit },
    ),
  describe: ({ application, day, cost }) => ({
    of: `judges of application ${application} on ${day}`,
    fault: `their cost is less than that of their calls, ${cost}`,
  }),
  repair: (database, { application, day, cost }) =>
    void database.run('UPDATE judge_day SET cost = :cost WHERE day = :day AND application = :application', {
      application,
      day,
      cost,
    }),
};

export const DERIVED_OF_EVALS = [normalisedScores, judgeDays] as DerivedRows[];
