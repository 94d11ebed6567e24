import { type Screen, UUID } from '../app/screen.ts';

export const quickstartsScreen: Screen = {
  path: '/quickstarts',
  title: 'Quickstarts',
  question: 'How do I make tasks of the conversations that we have?',
  under: '/tasks',
  key: 'q',
  page: () => import('./quickstarts-page.tsx').then(({ QuickstartsPage }) => QuickstartsPage),
};

export const quickstartScreen: Screen = {
  path: '/quickstarts/$quickstartId/$step',
  title: 'Quickstart',
  question: 'What was made of the files, and is it right?',
  under: '/tasks',
  finds: { what: 'quickstart', pattern: UUID, href: (id) => `/quickstarts/${id}/upload` },
  page: () => import('./quickstart-page.tsx').then(({ QuickstartPage }) => QuickstartPage),
};
