import { UserCheck } from 'lucide-react';
import { type Screen, UUID } from '../app/screen.ts';

export const reviewScreen: Screen = {
  path: '/review',
  title: 'Review',
  question: 'What do I have to judge, and how far are we?',
  nav: { group: 'daily', icon: UserCheck },
  key: 'r',
  page: () => import('./review-page.tsx').then(({ ReviewPage }) => ReviewPage),
};

export const reviewItemScreen: Screen = {
  path: '/review/$queueId',
  title: 'Item',
  question: 'Is this response right?',
  finds: { what: 'review queue', pattern: UUID, href: (id) => `/review/${id}` },
  page: () => import('./review-item-page.tsx').then(({ ReviewItemPage }) => ReviewItemPage),
};
