import { House } from 'lucide-react';
import type { Screen } from '../app/screen.ts';

export const homeScreen: Screen = {
  path: '/',
  title: 'Home',
  question: 'Is the application getting worse? Does anything need me?',
  nav: { group: 'daily', icon: House },
  key: 'h',
  page: () => import('./home-page.tsx').then(({ HomePage }) => HomePage),
};
