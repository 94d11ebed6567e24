import { type Screen, UUID } from '../app/screen.ts';

export const testsScreen: Screen = {
  path: '/tests',
  title: 'Tests',
  question: 'Where did it stop, whose fault is it, and what now?',
  under: '/runs',
  key: 'e',
  page: () => import('./tests-page.tsx').then(({ TestsPage }) => TestsPage),
};

export const testScreen: Screen = {
  path: '/tests/$testId',
  title: 'Test',
  question: 'Where did this test stop, and why?',
  under: '/runs',
  finds: { what: 'test', pattern: UUID, href: (id) => `/tests/${id}` },
  page: () => import('./test-page.tsx').then(({ TestPage }) => TestPage),
};
