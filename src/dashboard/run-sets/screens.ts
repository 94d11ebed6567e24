import { ShieldCheck } from 'lucide-react';
import { type Screen, UUID } from '../app/screen.ts';

export const runSetsScreen: Screen = {
  path: '/run-sets',
  title: 'Run sets',
  question: 'Which builds may be released?',
  nav: { group: 'test', icon: ShieldCheck },
  page: () => import('./run-sets-page.tsx').then(({ RunSetsPage }) => RunSetsPage),
};

export const runSetScreen: Screen = {
  path: '/run-sets/$runSetId',
  title: 'Run set',
  question: 'What was decided on this build, and by what?',
  finds: { what: 'run set', pattern: UUID, href: (id) => `/run-sets/${id}` },
  page: () => import('./run-set-page.tsx').then(({ RunSetPage }) => RunSetPage),
};
