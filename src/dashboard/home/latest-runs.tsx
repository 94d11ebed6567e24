import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { shareInterval } from '../format/interval.ts';
import { formatWhole } from '../format/number.ts';
import { countedOf, passedShare } from '../runs/headline.tsx';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { RUN_TYPE_NAMES } from '../tests/words.ts';
import { Moment } from '../ui/cells.tsx';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Loaded, Section } from '../ui/panel.tsx';

const SHOWN = 5;

/** Shows how the latest runs went. */
export function LatestRuns(): ReactNode {
  const runs = useApi('/v0/runs', { query: { limit: SHOWN } }, { keepsRows: true });
  const titles = useTaskTitles();
  return (
    <Section
      title="Latest runs"
      actions={
        <AppLink href="/runs" className="text-accent hover:underline">
          All runs
        </AppLink>
      }
    >
      <Loaded of={runs}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="border-t border-line py-2 text-dim">No task has been run.</p>
          ) : (
            <ul>
              {data.map((run) => (
                <RunLine key={run.id} run={run} title={titles.get(run.taskId) ?? run.taskId.slice(0, 8)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function RunLine({ run, title }: { run: Run; title: string }): ReactNode {
  const { id, createdAt, type, outcomes, outcomeInterval } = run;
  const share = passedShare(outcomes);
  return (
    <li className="grid min-h-[30px] grid-cols-[84px_minmax(0,1fr)_84px_minmax(0,0.8fr)] items-center gap-x-3 border-t border-line max-[719px]:grid-cols-[minmax(0,1fr)_84px]">
      <span className="max-[719px]:hidden">
        <Moment at={createdAt} />
      </span>
      <span className="truncate">
        <AppLink href={`/runs/${id}`} className="font-semibold text-ink hover:text-accent hover:underline">
          {title}
        </AppLink>{' '}
        <span className="text-dim">{RUN_TYPE_NAMES[type]}</span>
      </span>
      <span className="text-right">
        {share === null ? '–' : `${formatWhole(outcomes.passed)} of ${formatWhole(countedOf(outcomes))}`}
      </span>
      <span className="max-[719px]:hidden">
        {share !== null && outcomeInterval && (
          <IntervalBar share={share} interval={shareInterval(outcomeInterval)} />
        )}
      </span>
    </li>
  );
}
