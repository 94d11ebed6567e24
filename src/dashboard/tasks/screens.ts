import { ClipboardList } from 'lucide-react';
import { type Screen, UUID } from '../app/screen.ts';

export const tasksScreen: Screen = {
  path: '/tasks',
  title: 'Tasks',
  question: 'Which tasks do badly, and how sure is that?',
  nav: { group: 'test', icon: ClipboardList },
  key: 'k',
  page: () => import('./tasks-page.tsx').then(({ TasksPage }) => TasksPage),
};

export const taskScreen: Screen = {
  path: '/tasks/$taskId',
  title: 'Task',
  question: 'How well does the app do this task, and how is it tested?',
  finds: { what: 'task', pattern: UUID, href: (id) => `/tasks/${id}` },
  page: () => import('./task-page.tsx').then(({ TaskPage }) => TaskPage),
};
