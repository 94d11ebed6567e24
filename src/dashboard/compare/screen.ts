import type { Screen } from '../app/screen.ts';

export const compareScreen: Screen = {
  path: '/compare',
  title: 'Compare',
  question: 'Why did one pass and the other fail?',
  under: '/traces',
  page: () => import('./compare-page.tsx').then(({ ComparePage }) => ComparePage),
};
