import type { ReactNode } from 'react';
import { formatWhole } from '../format/number.ts';
import { AppLink } from '../app/url.tsx';
import { Bar } from '../ui/bar.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { groupName, useReport, weeksAgo } from '../reports/use-report.ts';

/** Shows why tests failed without a verdict. */
export function Failures(): ReactNode {
  const failures = useReport({
    datasource: 'test',
    filters: [
      { column: 'createdAt', operator: 'gte', value: weeksAgo(1) },
      { column: 'failureCode', operator: 'isNotNull' },
    ],
    groupBy: [{ column: 'failureCode' }],
    measurements: [{ aggregation: 'count' }],
    orderBy: [{ by: 'count', direction: 'desc' }],
    limit: 20,
  });
  return (
    <Section title="Failed tests by cause, last 7 days">
      <Loaded of={failures}>
        {({ data }) => {
          const rows = data.map(({ groups, values }) => ({
            code: groupName(groups['failureCode']) ?? 'unknown',
            count: Number(values['count'] ?? 0),
          }));
          const most = Math.max(...rows.map(({ count }) => count));
          return rows.length === 0 ? (
            <p className="py-2 text-dim">No test failed in the last 7 days.</p>
          ) : (
            <ul>
              {rows.map(({ code, count }) => (
                <li
                  key={code}
                  className="grid h-[30px] grid-cols-[minmax(0,1.3fr)_64px_minmax(0,1fr)] items-center gap-4 border-t border-line"
                >
                  <AppLink
                    href="/tests?status=FAILED"
                    className="truncate text-ink hover:text-accent hover:underline"
                  >
                    {CAUSES[code] ?? code} <code className="font-mono text-axis text-dim">{code}</code>
                  </AppLink>
                  <span className="text-right">{formatWhole(count)}</span>
                  <Bar share={count / most} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}

const CAUSES: Readonly<Record<string, string>> = {
  prompt_not_written: 'The prompt model wrote no prompt',
  webhook_not_configured: 'No webhook is configured',
  webhook_unreachable: 'The webhook could not be reached',
  webhook_blocked_address: 'The address of the webhook is not allowed',
  webhook_timeout: 'The webhook did not answer in time',
  webhook_status: 'The webhook answered with an error',
  delivery_unknown: 'The delivery was interrupted',
  trace_missing: 'No span arrived in time',
  trace_deleted: 'The trace was deleted',
  erased: 'The text of the test was erased',
  evaluation_error: 'The evaluation failed',
  cancelled: 'Cancelled',
};
