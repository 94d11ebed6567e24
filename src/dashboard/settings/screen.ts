import { Settings } from 'lucide-react';
import type { Screen } from '../app/screen.ts';

export const settingsScreen: Screen = {
  path: '/settings',
  title: 'Settings',
  question: 'Who may do what?',
  nav: { group: 'setup', icon: Settings },
  key: 's',
  page: () => import('./settings-page.tsx').then(({ SettingsPage }) => SettingsPage),
};
