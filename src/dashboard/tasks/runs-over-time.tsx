import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent } from '../format/number.ts';
import { type GroupRate, useTestRates } from '../reports/use-test-rates.ts';
import { OutcomeBar } from '../runs/headline.tsx';
import { isRunInFlight } from '../runs/run-in-flight.ts';
import { RUN_TYPE_NAMES } from '../tests/words.ts';
import { DASH, momentColumn, numberColumn } from '../ui/cells.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { RateChart } from './rate-chart.tsx';

/** Runs that are shown, the newest. */
const SHOWN_RUNS = 20;
const LIVE_MS = 4_000;

interface RunRate extends Run {
  rate: GroupRate | undefined;
}

/** Shows the newest runs of a task: how its pass rate has moved, and each run. */
export function RunsOverTime({ taskId }: { taskId: string }): ReactNode {
  const query = {
    taskId: [taskId],
    limit: SHOWN_RUNS,
    orderBy: 'createdAt' as const,
    orderDir: 'desc' as const,
  };
  const runs = useApi(
    '/v0/runs',
    { query },
    {
      refresh: (answer) => (answer?.data ?? []).some(isRunInFlight) && LIVE_MS,
      keepsRows: true,
    },
  );
  const rates = useTestRates({
    by: 'run',
    filters: [{ column: 'task', operator: 'eq', value: taskId }],
    limit: SHOWN_RUNS * 2,
  });
  return (
    <Section
      title="Results over time"
      actions={
        <AppLink href={`/runs?task=${taskId}`} className="text-accent underline">
          All runs
        </AppLink>
      }
    >
      <Loaded of={runs}>
        {({ data }) => {
          if (data.length === 0) return <p className="py-2 text-dim">The task has not run yet.</p>;
          const rows = data.map((run): RunRate => ({ ...run, rate: rates.get(run.id) }));
          const points = rows.flatMap(({ rate }) => rate ?? []).toReversed();
          return (
            <>
              {points.length > 1 && <RateChart points={points} />}
              <div className="-mx-4">
                <DataTable
                  label="Runs of the task"
                  rows={rows}
                  columns={COLUMNS}
                  rowKey={({ id }) => id}
                  href={({ id }) => `/runs/${id}`}
                />
              </div>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

const COLUMNS: readonly TableColumn<RunRate>[] = [
  momentColumn('createdAt', 'Started'),
  { id: 'type', title: 'Type', width: 'w-[100px]', cell: ({ type }) => RUN_TYPE_NAMES[type] },
  { id: 'progress', title: 'Tests', cell: ({ outcomes }) => <OutcomeBar outcomes={outcomes} isBrief /> },
  numberColumn('passRate', 'Pass rate', 'w-[86px]', ({ rate }) =>
    rate === undefined ? DASH : formatPercent(rate.share),
  ),
  numberColumn('interval', '95 % interval', 'w-[120px]', ({ rate }) =>
    rate === undefined ? DASH : `${formatPercent(rate.interval.low)} – ${formatPercent(rate.interval.high)}`,
  ),
];
