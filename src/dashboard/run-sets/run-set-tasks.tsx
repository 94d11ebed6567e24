import type { ReactNode } from 'react';
import type { Run, RunSet } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent } from '../format/number.ts';
import { OutcomeBar, passedShare } from '../runs/headline.tsx';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { DASH } from '../ui/cells.tsx';
import { Section } from '../ui/panel.tsx';
import { SmallTable } from '../ui/small-table.tsx';

/** Most tasks that are shown: those of one page. */
const MAX_SHOWN = 100;

/** Lists the tasks of a run set with what became of their tests, and links to their results. */
export function RunSetTasks({ set: { id, runIds, modifiedAt } }: { set: RunSet }): ReactNode {
  const titles = useTaskTitles();
  const query = { runSetId: [id], orderDir: 'asc' as const, limit: MAX_SHOWN };
  const runs = useApi('/v0/runs', { query }, { version: modifiedAt });
  const more = runIds.length - MAX_SHOWN;
  return (
    <Section title="Tasks">
      <SmallTable
        label="Tasks"
        heads={[['Task'], ['Tests', 'w-[38%]'], ['Passed', 'w-[86px] text-right']]}
        isFixed
      >
        {runs.data?.data.map((run) => (
          <TaskRow key={run.id} run={run} titles={titles} />
        ))}
      </SmallTable>
      {more > 0 && <p className="text-dim">and {more} more tasks</p>}
    </Section>
  );
}

interface TaskRowProps {
  run: Run;
  titles: ReadonlyMap<string, string>;
}

function TaskRow({ run: { id, taskId, outcomes }, titles }: TaskRowProps): ReactNode {
  const share = passedShare(outcomes);
  return (
    <tr className="border-t border-line">
      <td className="truncate py-1.5 pr-3">
        <AppLink href={`/runs/${id}`} className="font-semibold">
          {titles.get(taskId) ?? taskId.slice(0, 8)}
        </AppLink>
      </td>
      <td className="py-1.5">
        <OutcomeBar outcomes={outcomes} isBrief />
      </td>
      <td className="py-1.5 text-right">{share === null ? DASH : formatPercent(share)}</td>
    </tr>
  );
}
