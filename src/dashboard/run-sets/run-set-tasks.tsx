import type { ReactNode } from 'react';
import type { RunSet } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent } from '../format/number.ts';
import { OutcomeBar, passedShare } from '../runs/headline.tsx';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { DASH } from '../ui/cells.tsx';
import { Section } from '../ui/panel.tsx';
import { SmallTable } from '../ui/small-table.tsx';

/** Most tasks that are shown: each is a call. */
const MAX_SHOWN = 50;

/** Lists the tasks of a run set with what became of their tests, and links to their results. */
export function RunSetTasks({ set: { runIds, modifiedAt } }: { set: RunSet }): ReactNode {
  const titles = useTaskTitles();
  const more = runIds.length - MAX_SHOWN;
  return (
    <Section title="Tasks">
      <SmallTable
        label="Tasks"
        heads={[['Task'], ['Tests', 'w-[38%]'], ['Passed', 'w-[86px] text-right']]}
        isFixed
      >
        {runIds.slice(0, MAX_SHOWN).map((runId) => (
          <TaskRow key={runId} runId={runId} version={modifiedAt} titles={titles} />
        ))}
      </SmallTable>
      {more > 0 && <p className="text-dim">and {more} more tasks</p>}
    </Section>
  );
}

interface TaskRowProps {
  runId: string;
  /** Changes when results of the run set have changed. */
  version: string;
  titles: ReadonlyMap<string, string>;
}

function TaskRow({ runId, version, titles }: TaskRowProps): ReactNode {
  const { data } = useApi('/v0/runs/{id}', { path: { id: runId } }, { version });
  const run = data?.run;
  const share = run ? passedShare(run.outcomes) : null;
  return (
    <tr className="border-t border-line">
      <td className="truncate py-1.5 pr-3">
        <AppLink href={`/runs/${runId}`} className="font-semibold">
          {run ? (titles.get(run.taskId) ?? run.taskId.slice(0, 8)) : runId.slice(0, 8)}
        </AppLink>
      </td>
      <td className="py-1.5">{run && <OutcomeBar outcomes={run.outcomes} isBrief />}</td>
      <td className="py-1.5 text-right">{share === null ? DASH : formatPercent(share)}</td>
    </tr>
  );
}
