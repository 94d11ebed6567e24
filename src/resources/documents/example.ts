import { dates, ID, owner } from '../../contract/example-values.ts';
import type { Document, DocumentEntry, Version, VersionEntry } from './contract.ts';

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
};

export const exampleVersion: Version = {
  ...exampleVersionEntry,
  content: exampleText,
  metadata: {},
  originalSentences: [exampleText],
};

export const exampleDocumentEntry: DocumentEntry = {
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
  content: exampleText,
  versions: [exampleVersionEntry],
};

export const exampleDocument: Document = { ...exampleDocumentEntry, versions: [exampleVersion] };
