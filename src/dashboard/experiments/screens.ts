import { FlaskConical } from 'lucide-react';
import { type Screen, UUID } from '../app/screen.ts';

export const experimentsScreen: Screen = {
  path: '/experiments',
  title: 'Experiments',
  question: 'Which settings were tried, and which are better?',
  nav: { group: 'test', icon: FlaskConical },
  key: 'x',
  page: () => import('./experiments-page.tsx').then(({ ExperimentsPage }) => ExperimentsPage),
};

export const experimentScreen: Screen = {
  path: '/experiments/$experimentId',
  title: 'Experiment',
  question: 'Which variant is better, really?',
  finds: { what: 'experiment', pattern: UUID, href: (id) => `/experiments/${id}` },
  page: () => import('./experiment-page.tsx').then(({ ExperimentPage }) => ExperimentPage),
};
