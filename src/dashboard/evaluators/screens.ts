import { Gavel } from 'lucide-react';
import { type Screen, UUID } from '../app/screen.ts';

export const evaluatorsScreen: Screen = {
  path: '/evaluators',
  title: 'Evaluators',
  question: 'What is a good answer, and who decides?',
  nav: { group: 'test', icon: Gavel },
  key: 'v',
  page: () => import('./evaluators-page.tsx').then(({ EvaluatorsPage }) => EvaluatorsPage),
};

export const evaluatorScreen: Screen = {
  path: '/evaluators/$definitionId',
  title: 'Evaluator',
  question: 'What does it judge, and can I trust it?',
  finds: { what: 'evaluator', pattern: UUID, href: (id) => `/evaluators/${id}` },
  page: () => import('./evaluator-page.tsx').then(({ EvaluatorPage }) => EvaluatorPage),
};

export const verdictScreen: Screen = {
  path: '/evals/$evalId',
  title: 'Verdict',
  question: 'Why did it pass or fail, and who says so?',
  under: '/evaluators',
  finds: { what: 'verdict', pattern: UUID, href: (id) => `/evals/${id}` },
  page: () => import('./verdict-page.tsx').then(({ VerdictPage }) => VerdictPage),
};
