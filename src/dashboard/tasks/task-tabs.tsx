import type { ReactNode } from 'react';
import { type TabLink, TabLinks } from '../ui/tabs.tsx';

const TABS = [
  { id: 'all', title: 'All', href: '/tasks' },
  { id: 'topics', title: 'By topic', href: '/topics' },
  { id: 'tags', title: 'Tags', href: '/tags' },
  { id: 'quickstarts', title: 'Quickstarts', href: '/quickstarts' },
  { id: 'schedules', title: 'Schedules', href: '/schedules' },
] as const satisfies readonly TabLink[];

/** Leads through the lists that belong to tasks. */
export const TaskTabs = ({ current }: { current: (typeof TABS)[number]['id'] }): ReactNode => (
  <TabLinks label="Tasks" tabs={TABS} current={current} />
);
