import { type Screen, UUID } from '../app/screen.ts';

export const topicsScreen: Screen = {
  path: '/topics',
  title: 'Topics',
  question: 'On which subject is the app weakest?',
  under: '/tasks',
  key: 'o',
  page: () => import('./topics-page.tsx').then(({ TopicsPage }) => TopicsPage),
};

export const topicScreen: Screen = {
  path: '/topics/$topicId',
  title: 'Topic',
  question: 'How does the app do on this subject?',
  under: '/tasks',
  finds: { what: 'topic', pattern: UUID, href: (id) => `/topics/${id}` },
  page: () => import('./topic-page.tsx').then(({ TopicPage }) => TopicPage),
};
