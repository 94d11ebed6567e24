import { ListChecks } from 'lucide-react';
import { type Screen, UUID } from '../app/screen.ts';

export const runsScreen: Screen = {
  path: '/runs',
  title: 'Runs',
  question: 'How did each run of a task end?',
  nav: { group: 'test', icon: ListChecks },
  key: 'u',
  page: () => import('./runs-page.tsx').then(({ RunsPage }) => RunsPage),
};

export const runScreen: Screen = {
  path: '/runs/$runId',
  title: 'Run',
  question: 'How far is this run, and is it better than the one before?',
  finds: { what: 'run', pattern: UUID, href: (id) => `/runs/${id}` },
  page: () => import('./run-page.tsx').then(({ RunPage }) => RunPage),
};
