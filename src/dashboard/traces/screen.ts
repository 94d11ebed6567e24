import { ListTree } from 'lucide-react';
import type { Screen } from '../app/screen.ts';

export const tracesScreen: Screen = {
  path: '/traces',
  title: 'Traces',
  question: 'What just happened?',
  nav: { group: 'observe', icon: ListTree },
  key: 't',
  page: () => import('./traces-page.tsx').then(({ TracesPage }) => TracesPage),
};
