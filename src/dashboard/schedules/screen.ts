import type { Screen } from '../app/screen.ts';

export const schedulesScreen: Screen = {
  path: '/schedules',
  title: 'Schedules',
  question: 'What runs by itself, and when next?',
  under: '/tasks',
  key: 'd',
  page: () => import('./schedules-page.tsx').then(({ SchedulesPage }) => SchedulesPage),
};
