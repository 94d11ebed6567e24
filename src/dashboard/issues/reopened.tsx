import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Moment } from '../ui/cells.tsx';
import { Section } from '../ui/panel.tsx';

const MAX_SHOWN = 5;

/** Lists the open issues that were opened again, the latest first; nothing without one. */
export function ReopenedIssues(): ReactNode {
  const list = useApi('/v0/issues', {
    query: { status: ['OPEN'], isReopened: true, limit: MAX_SHOWN, orderBy: 'modifiedAt', orderDir: 'desc' },
  }).data;
  if (!list || list.data.length === 0) return null;
  const more = list.pagination.total - list.data.length;
  return (
    <Section title={`Opened again · ${formatWhole(list.pagination.total)}`} className="px-4 pt-3">
      <ul aria-label="Issues that were opened again">
        {list.data.map(({ id, number, title, reopenedAt }) => (
          <li key={id} className="flex items-baseline gap-3 border-t border-line py-1">
            <AppLink href={`/issues/${number}`} className="min-w-0 truncate text-ink hover:text-accent">
              <span className="text-dim">#{number}</span> {title}
            </AppLink>
            <span className="ml-auto shrink-0 text-dim">
              {reopenedAt !== null && <Moment at={reopenedAt} />}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="border-t border-line py-1 text-dim">and {formatWhole(more)} more below</p>}
    </Section>
  );
}
