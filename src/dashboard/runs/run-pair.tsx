import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { useApi, useCall } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { shareInterval } from '../format/interval.ts';
import { formatPercent } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import type { GridState } from '../results/grid-state.ts';
import { ResultsGrid } from '../results/results-grid.tsx';
import { changeShows } from '../results/shows.ts';
import { classNames } from '../ui/class-names.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Loaded } from '../ui/panel.tsx';
import { AppChangesPanel } from './app-changes.tsx';
import { differenceText, lossOf, pText } from './difference.ts';
import { DifferenceBar } from './difference-bar.tsx';
import { passedShare } from './headline.tsx';

interface RunPairProps {
  baselineId: string;
  run: Run;
  state: GridState;
  onChange: (patch: Partial<GridState>) => void;
}

/** Two runs beside each other: which one is better, and what changed. */
export function RunPair({ baselineId, run, state, onChange }: RunPairProps): ReactNode {
  const baseline = useApi('/v0/runs/{id}', { path: { id: baselineId } });
  const sides = [
    { side: `run:${baselineId}`, name: 'run A' },
    { side: `run:${run.id}`, name: 'run B' },
  ];
  const results = useApi(
    '/v0/results',
    { query: { side: sides.map(({ side }) => side), limit: 1, text: 0 } },
    { version: run.modifiedAt },
  );
  return (
    <div className="flex h-full min-h-[560px] flex-col">
      <Loaded of={baseline} isFlush>
        {({ run: before }) => <PairSummary before={before} run={run} />}
      </Loaded>
      {results.data && (
        <ResultsGrid
          layout="pair"
          sides={sides}
          shows={changeShows(results.data.facets)}
          state={state}
          onChange={onChange}
          isLive={run.outcomes.running > 0}
          empty="No example changed in this way. Choose “all” to see every example."
        />
      )}
    </div>
  );
}

function PairSummary({ before, run }: { before: Run; run: Run }): ReactNode {
  const body = {
    baseline: { runIds: [before.id] },
    candidates: [{ runIds: [run.id] }],
    by: 'OUTCOME' as const,
  };
  const isOver = before.outcomes.running + run.outcomes.running === 0;
  const comparison = useCall(
    '/v0/runs/compare',
    { query: body },
    (api, signal) => api.POST('/v0/runs/compare', { body, signal }),
    { enabled: isOver, version: run.modifiedAt },
  );
  const candidate = comparison.data?.data.candidates[0];
  const difference = candidate?.difference;
  return (
    <div className="grid shrink-0 grid-cols-[1.4fr_1fr] gap-x-6 gap-y-3 px-4 py-3 max-[1080px]:grid-cols-1">
      <div className="grid min-w-0 content-start gap-2">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span
            className={classNames('text-title font-semibold', candidate && lossOf(candidate) && 'text-fail')}
          >
            {!isOver
              ? 'A side still runs: no difference is computed.'
              : candidate === undefined
                ? 'Comparing …'
                : sentenceOf(candidate)}
          </span>
          {difference && candidate && (
            <span className="text-dim">
              estimate {difference.estimate.toFixed(1).replace('-', '−')} points · {pText(difference.pValue)}{' '}
              · {candidate.pairs} pairs of the same example
            </span>
          )}
        </p>
        {difference && <DifferenceBar {...difference} />}
        <table aria-label="Runs" className="w-full max-w-[820px]">
          <tbody>
            <SideLine letter="A" run={before} />
            <SideLine letter="B" run={run} />
          </tbody>
        </table>
      </div>
      {isOver && (
        <AppChangesPanel
          baselineId={before.id}
          candidateId={run.id}
          version={`${before.modifiedAt} ${run.modifiedAt}`}
        />
      )}
    </div>
  );
}

/** Says which run is better, with the other one as subject where neither is. */
function sentenceOf(candidate: Parameters<typeof differenceText>[0]): string {
  const text = differenceText(candidate, 'A');
  return /^(?:Better|Worse)/.test(text) ? `B is ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

function SideLine({ letter, run }: { letter: string; run: Run }): ReactNode {
  const share = passedShare(run.outcomes);
  return (
    <tr className="h-[26px] border-b border-line">
      <th scope="row" className="text-left font-normal">
        <AppLink href={`/runs/${run.id}`} className="text-ink">
          <b className="font-semibold">{letter}</b> {formatMoment(run.createdAt)}
        </AppLink>
      </th>
      <td className="px-3 text-right font-semibold">{share === null ? '–' : formatPercent(share)}</td>
      <td className="w-[45%] px-3">
        {share !== null && run.outcomeInterval && (
          <IntervalBar share={share} interval={shareInterval(run.outcomeInterval)} />
        )}
      </td>
    </tr>
  );
}
