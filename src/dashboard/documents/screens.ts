import { FileText } from 'lucide-react';
import { type Screen, UUID } from '../app/screen.ts';

export const documentsScreen: Screen = {
  path: '/documents',
  title: 'Documents',
  question: 'What should the app know, and who checks it?',
  nav: { group: 'setup', icon: FileText },
  key: 'f',
  page: () => import('./documents-page.tsx').then(({ DocumentsPage }) => DocumentsPage),
};

export const documentScreen: Screen = {
  path: '/documents/$documentId',
  title: 'Document',
  question: 'What changed in this document?',
  finds: { what: 'document', pattern: UUID, href: (id) => `/documents/${id}` },
  page: () => import('./document-page.tsx').then(({ DocumentPage }) => DocumentPage),
};
