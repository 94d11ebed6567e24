import { MessagesSquare } from 'lucide-react';
import type { Screen } from '../app/screen.ts';

export const conversationsScreen: Screen = {
  path: '/conversations',
  title: 'Conversations',
  question: 'Who talked with the app, and how did it go?',
  nav: { group: 'observe', icon: MessagesSquare },
  key: 'c',
  page: () => import('./conversations-page.tsx').then(({ ConversationsPage }) => ConversationsPage),
};

export const conversationScreen: Screen = {
  path: '/conversations/$sessionId',
  title: 'Conversation',
  question: 'What did this user live through?',
  page: () => import('./conversation-page.tsx').then(({ ConversationPage }) => ConversationPage),
};
