import { HeartPulse } from 'lucide-react';
import type { Screen } from '../app/screen.ts';

export const healthScreen: Screen = {
  path: '/health',
  title: 'Health',
  question: 'Did you get everything I sent?',
  nav: { group: 'setup', icon: HeartPulse },
  key: 'l',
  page: () => import('./health-page.tsx').then(({ HealthPage }) => HealthPage),
};
