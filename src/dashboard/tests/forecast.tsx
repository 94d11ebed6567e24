import type { ReactNode } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { evaluatorWords } from '../evaluators/words.ts';
import { formatSum, formatWhole } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { examplesForLoss, forecastJudgeCosts, smallestShownLoss, WANTED_LOSS } from './run-forecast.ts';

/** Tests that an app gets at once until it has shown that it keeps up with more. */
const AT_ONCE = 2;
/** Evaluators that are looked through. */
const MAX_LISTED = 100;

export interface LastResult {
  /** Mean duration of the traces of a test, in milliseconds; null if unknown. */
  meanMs: number | null;
  passed: number;
  counted: number;
}

interface ForecastProps {
  task: Pick<Task, 'id'>;
  tests: number;
  examples: number;
  last: LastResult | undefined;
}

/** Says how long a run takes, what its judges cost, and which loss it can show. */
export function Forecast({ task, tests, examples, last }: ForecastProps): ReactNode {
  const evaluators = useApi('/v0/definitions', { query: { taskId: [task.id], limit: MAX_LISTED } });
  const costs = useApi('/v0/evals/costs', { query: { groupBy: 'definition' } });
  const judges =
    evaluators.data &&
    costs.data &&
    forecastJudgeCosts(
      evaluators.data.data.map(({ id, type }) => ({ id, isJudged: evaluatorWords(type).isJudged })),
      costs.data.data,
    );
  const loss = smallestShownLoss(examples, last ?? null);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md border border-line px-3 py-2">
      {last?.meanMs != null && (
        <>
          <dt className="text-dim">Takes</dt>
          <dd>
            about {formatDuration((last.meanMs * tests) / Math.min(tests, AT_ONCE))}, by the last run and{' '}
            {AT_ONCE} tests at once; less if your app takes more at once.
          </dd>
        </>
      )}
      <dt className="text-dim">Judges</dt>
      <dd>
        {judges === undefined ? '…' : judgeText(judges, tests)}
        {judges !== undefined && judges.judges > 0 && <LeftToday />}
      </dd>
      <dt className="text-dim">Detects</dt>
      <dd>
        {loss >= 100
          ? 'no drop: too few examples'
          : `a drop of about ${Math.ceil(loss)} points in 8 of 10 cases`}
        {loss > WANTED_LOSS &&
          `; ${WANTED_LOSS} points need about ${formatWhole(examplesForLoss(last ?? null))} examples`}
        .
      </dd>
    </dl>
  );
}

/** Says what is left of the limit of the day; only administrators see limits. */
function LeftToday(): ReactNode {
  const isAdmin = useScope('admin');
  const system = useApi('/v0/system', {}, { enabled: isAdmin });
  // The organisation of the caller is the first.
  const day = system.data?.data.organisations[0]?.quotas.find(({ name }) => name === 'judgeDollarsOfDay');
  return day === undefined || day.limit === null
    ? null
    : ` ${formatSum(Math.max(0, day.limit - day.used))} of ${formatSum(day.limit)} are left today.`;
}

function judgeText({ judges, perTest }: ReturnType<typeof forecastJudgeCosts>, tests: number): string {
  if (judges === 0) return 'No evaluator of the task calls a model.';
  const calls = `${formatWhole(judges * tests)} verdicts of models`;
  return perTest === null
    ? `${calls}, price unknown.`
    : `${calls}, about ${formatSum(perTest * tests)} by the mean of the last 30 days.`;
}
