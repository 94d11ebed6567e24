import { TriangleAlert } from 'lucide-react';
import type { Screen } from '../app/screen.ts';

export const issuesScreen: Screen = {
  path: '/issues',
  title: 'Issues',
  question: 'What goes wrong, how often, and is it really gone?',
  nav: { group: 'daily', icon: TriangleAlert },
  key: 'i',
  page: () => import('./issues-page.tsx').then(({ IssuesPage }) => IssuesPage),
};

export const groupNotesScreen: Screen = {
  path: '/issues/group',
  title: 'Notes without an issue',
  question: 'Which notes are about the same problem?',
  page: () => import('./group-notes-page.tsx').then(({ GroupNotesPage }) => GroupNotesPage),
};

export const issueScreen: Screen = {
  path: '/issues/$number',
  title: 'Issue',
  question: 'How often does this happen, and what proves that it is gone?',
  finds: { what: 'issue', pattern: /^#?[1-9]\d{0,8}$/, href: (text) => `/issues/${text.replace('#', '')}` },
  page: () => import('./issue-page.tsx').then(({ IssuePage }) => IssuePage),
};
