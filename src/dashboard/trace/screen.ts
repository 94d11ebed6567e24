import type { Screen } from '../app/screen.ts';

export const traceScreen: Screen = {
  path: '/traces/$traceId',
  title: 'Trace',
  question: 'Why this answer, so slow, so expensive?',
  finds: {
    what: 'trace',
    pattern: /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i,
    href: (id) => `/traces/${id.toLowerCase()}`,
  },
  page: () => import('./trace-page.tsx').then(({ TracePage }) => TracePage),
};
