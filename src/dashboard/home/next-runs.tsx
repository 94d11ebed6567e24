import type { ReactNode } from 'react';
import { AppLink } from '../app/url.tsx';
import { formatAgo, formatMoment } from '../format/time.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { groupName, useReport } from '../reports/use-report.ts';

/** Shows which tasks run next by their schedules. */
export function NextRuns(): ReactNode {
  const tasks = useReport({
    datasource: 'task',
    filters: [
      { column: 'nextRunAt', operator: 'isNotNull' },
      { column: 'status', operator: 'eq', value: 'ACTIVE' },
    ],
    groupBy: [{ column: 'nextRunAt' }, { column: 'id' }],
    measurements: [{ aggregation: 'count' }],
    orderBy: [{ by: 'nextRunAt', direction: 'asc' }],
    limit: 6,
  });
  return (
    <Section title="Next runs">
      <Loaded of={tasks}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="border-t border-line py-2 text-dim">No task has a schedule.</p>
          ) : (
            <ul>
              {data.map(({ groups }) => {
                const { id: task, nextRunAt } = groups;
                const at = groupName(nextRunAt) ?? '';
                const id = typeof task === 'object' && task !== null ? task.id : String(task);
                return (
                  <li key={id} className="flex h-[30px] items-center gap-3 border-t border-line">
                    <AppLink
                      href={`/tasks/${id}`}
                      className="grow truncate text-ink hover:text-accent hover:underline"
                    >
                      {groupName(task)}
                    </AppLink>
                    <time dateTime={at} title={formatMoment(at)} className="shrink-0 text-dim">
                      {formatAgo(at)}
                    </time>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
