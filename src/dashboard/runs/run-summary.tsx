import type { ReactNode } from 'react';
import type { Results, Run } from '../../api/generated/schema.ts';
import { useApi, useCall } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { classNames } from '../ui/class-names.ts';
import { differenceText, lossOf } from './difference.ts';
import { Headline } from './headline.tsx';

interface RunSummaryProps {
  run: Run;
  /** Id of the run before; undefined without one. */
  beforeId: string | undefined;
  results: Results | undefined;
  onCause: (key: string) => void;
  onRegressed: () => void;
}

/** Shows the result of a run, by evaluator and by cause. */
export function RunSummary({ run, beforeId, results, onCause, onRegressed }: RunSummaryProps): ReactNode {
  const before = useApi(
    '/v0/runs/{id}',
    { path: { id: beforeId ?? '' } },
    { enabled: beforeId !== undefined },
  ).data?.run;
  return (
    <div className="grid shrink-0 grid-cols-[1.2fr_1.2fr_1.5fr] gap-x-6 px-4 py-3 max-[1080px]:grid-cols-2 max-[720px]:grid-cols-1">
      <Headline run={run} before={before}>
        <AgainstBefore run={run} beforeId={beforeId} results={results} onRegressed={onRegressed} />
      </Headline>
      {results && <ByEvaluator results={results} />}
      {results && <Causes results={results} onCause={onCause} />}
    </div>
  );
}

/** Says in a sentence whether the run is better than the one before. */
function AgainstBefore({ run, beforeId, results, onRegressed }: Omit<RunSummaryProps, 'onCause'>): ReactNode {
  const isOver = run.outcomes.running === 0;
  const body = {
    baseline: { runIds: [beforeId ?? ''] },
    candidates: [{ runIds: [run.id] }],
    by: 'OUTCOME' as const,
  };
  const comparison = useCall(
    '/v0/runs/compare',
    { query: body },
    (api, signal) => api.POST('/v0/runs/compare', { body, signal }),
    { enabled: beforeId !== undefined && isOver, version: run.modifiedAt },
  );
  if (!isOver) return <p className="text-dim">It is compared when all tests have ended.</p>;
  if (beforeId === undefined) return <p className="text-dim">There is no earlier run of the task.</p>;
  const candidate = comparison.data?.data.candidates[0];
  if (candidate === undefined) return null;
  const regressed = results?.facets.changes.REGRESSED ?? 0;
  return (
    <p>
      <span className={classNames('font-semibold', lossOf(candidate) && 'text-fail')}>
        {differenceText(candidate, 'the run before')}
      </span>{' '}
      {regressed > 0 && (
        <button type="button" className="cursor-pointer text-accent underline" onClick={onRegressed}>
          {formatWhole(regressed)} {regressed === 1 ? 'example' : 'examples'} regressed
        </button>
      )}{' '}
      <AppLink href={`/runs/${run.id}?with=${beforeId}`} className="text-accent underline">
        Compare
      </AppLink>
    </p>
  );
}

const HEAD = 'text-label font-semibold tracking-wide text-dim uppercase';

/** Lists the evaluators with the tests that passed. */
function ByEvaluator({ results: { columns: all, facets } }: { results: Results }): ReactNode {
  const columns = all.filter(({ definitionId }) => facets.definitions.some(({ id }) => id === definitionId));
  const hasBlocking = columns.some(({ isBlocking }) => isBlocking);
  return (
    <section aria-label="By evaluator" className="min-w-0 max-[1080px]:hidden">
      <h2 className={HEAD}>By evaluator</h2>
      {columns.length === 0 && <p className="text-dim">No verdicts yet.</p>}
      {columns.length > 0 && !hasBlocking && (
        <p className="text-label text-doubt">
          No evaluator is blocking, so that all of them decide whether a test passed.
        </p>
      )}
      <ul>
        {columns.slice(0, 6).map(({ definitionId, name, isBlocking }) => {
          const { passed = 0, failed = 0 } = facets.definitions.find(({ id }) => id === definitionId) ?? {};
          return (
            <li key={definitionId} className="flex h-[22px] items-center gap-3">
              <AppLink href={`/evaluators/${definitionId}`} className="min-w-0 truncate text-ink">
                {name}
                {!isBlocking && <span className="text-label text-dim"> non-blocking</span>}
              </AppLink>
              <span className="ml-auto shrink-0">
                {formatWhole(passed)} of {formatWhole(passed + failed)}
              </span>
              <Share passed={passed} failed={failed} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const Share = ({ passed, failed }: { passed: number; failed: number }): ReactNode => {
  const width = passed + failed === 0 ? 0 : (failed / (passed + failed)) * 100;
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className="h-2 w-20 shrink-0">
      <rect width="100" height="8" className="fill-bar" />
      <rect x={100 - width} width={width} height="8" className="fill-fail" />
    </svg>
  );
};

/** Causes that are listed. */
const MAX_CAUSES = 5;

/** Lists why tests did not pass, the most common first. */
function Causes({ results, onCause }: { results: Results; onCause: (key: string) => void }): ReactNode {
  const { causes } = results.facets;
  if (causes.length === 0) return null;
  const most = causes[0]?.count ?? 1;
  return (
    <section aria-label="Failure causes" className="min-w-0 max-[720px]:hidden">
      <h2 className={HEAD}>Failure causes</h2>
      <ul>
        {causes.slice(0, MAX_CAUSES).map(({ key, title, count, outcome }) => (
          <li key={key} className="flex h-[22px] items-center gap-3">
            <button
              type="button"
              title={title}
              className="min-w-0 cursor-pointer truncate text-left hover:underline"
              onClick={() => onCause(key)}
            >
              {title}
            </button>
            <span className="ml-auto shrink-0 font-semibold">{formatWhole(count)}</span>
            <svg
              viewBox="0 0 100 8"
              preserveAspectRatio="none"
              aria-hidden="true"
              className="h-2.5 w-16 shrink-0"
            >
              <rect
                width={(count / most) * 100}
                height="8"
                className={outcome === 'FAILED' || outcome === 'APP_ERROR' ? 'fill-fail' : 'fill-bar'}
              />
            </svg>
          </li>
        ))}
      </ul>
    </section>
  );
}
