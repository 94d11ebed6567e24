import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { formatWhole } from '../format/number.ts';
import { type TabLink, TabLinks } from '../ui/tabs.tsx';

/** Leads from the issues to the notes that belong to none, and back. */
export function IssueTabs({ current }: { current: 'issues' | 'notes' }): ReactNode {
  const notes = useApi('/v0/notes', { query: { unassigned: true, limit: 1 } }).data?.pagination.total ?? 0;
  const tabs: readonly TabLink[] = [
    { id: 'issues', title: 'Issues', href: '/issues' },
    {
      id: 'notes',
      title: `Notes without an issue${notes === 0 ? '' : ` · ${formatWhole(notes)}`}`,
      href: '/issues/group',
    },
  ];
  return <TabLinks label="Issues" tabs={tabs} current={current} />;
}
