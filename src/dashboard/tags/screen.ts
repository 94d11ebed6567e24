import type { Screen } from '../app/screen.ts';

export const tagsScreen: Screen = {
  path: '/tags',
  title: 'Tags',
  question: 'Which labels do tasks have, and where?',
  under: '/tasks',
  key: 'g',
  page: () => import('./tags-page.tsx').then(({ TagsPage }) => TagsPage),
};
