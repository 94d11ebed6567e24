import { dates, ID, owner } from '../../contract/example-values.ts';
import type { Document, DocumentEntry, DocumentHead, Version, VersionEntry } from './contract.ts';

export const exampleText = 'Customers may return products within 30 days.';

export const exampleVersionEntry: VersionEntry = {
  id: ID.version,
  ...owner,
  ...dates,
  title: 'Returns',
  language: 'en',
  status: 'APPROVED',
  type: 'POLICY',
  versionNumber: 1,
  documentId: ID.document,
  content: exampleText,
  metadata: {},
  originalSentences: [],
};

export const exampleDocumentVersion: Version = {
  ...exampleVersionEntry,
  originalSentences: [exampleText],
};

export const exampleDocumentHead: DocumentHead = {
  id: ID.document,
  ...owner,
  ...dates,
  type: 'POLICY',
  optimized: false,
  isVerified: false,
  status: 'ACTIVE',
  title: 'Returns',
  assignee: 'ada',
  scrapeJobId: null,
  fileProcessingId: null,
  topicId: ID.topic,
  quickstartId: null,
};

export const exampleDocumentEntry: DocumentEntry = {
  ...exampleDocumentHead,
  content: exampleText,
  versions: [exampleVersionEntry],
  tags: [{ id: ID.tag, name: 'billing', color: '#3B82F6' }],
};

export const exampleDocument: Document = {
  ...exampleDocumentHead,
  content: exampleText,
  versions: [exampleDocumentVersion],
};
