import { Webhook } from 'lucide-react';
import type { Screen } from '../app/screen.ts';

export const webhookScreen: Screen = {
  path: '/webhook',
  title: 'Webhook',
  question: 'Why does my endpoint reject the tests?',
  nav: { group: 'setup', icon: Webhook },
  key: 'w',
  page: () => import('./webhook-page.tsx').then(({ WebhookPage }) => WebhookPage),
};
