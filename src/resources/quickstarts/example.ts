import { dates, ID, owner } from '../../contract/example-values.ts';
import type { OneQuickstart, Quickstart } from './contract.ts';
import type { Conversation } from './conversation-contract.ts';
import type { QuickstartUpload, UploadReport } from './upload-contract.ts';

export const exampleUpload: QuickstartUpload = {
  id: ID.upload,
  quickstartId: ID.quickstart,
  fileName: 'conversations.csv',
  fileSize: 48_211,
  status: 'COMPLETED',
  materialType: 'conversations',
  ...dates,
};

export const exampleReport: UploadReport = {
  rows: 120,
  created: { topics: 4, tasks: 31, inputExamples: 118, conversations: 0, documents: 0, definitions: 0 },
  rejected: [{ line: 17, error: 'input: must not be empty' }],
  rejectedCount: 1,
  unusedColumns: ['mood'],
};

export const exampleListedQuickstart: Quickstart = {
  id: ID.quickstart,
  ...owner,
  ...dates,
  name: 'Support bot',
  styleGuideId: ID.styleGuide,
  status: 'STYLE_REVIEW',
  reason: null,
  uploads: [exampleUpload],
};

export const exampleQuickstart: OneQuickstart = {
  ...exampleListedQuickstart,
  counts: { topics: 4, tasks: 31, definitions: 6, documents: 12 },
};

export const exampleNewQuickstart: OneQuickstart = {
  ...exampleQuickstart,
  styleGuideId: null,
  status: 'UPLOADING',
  uploads: [],
  counts: { topics: 0, tasks: 0, definitions: 0, documents: 0 },
};

export const exampleConversation: Conversation = {
  id: ID.conversation,
  ...owner,
  createdAt: dates.createdAt,
  quickstartId: ID.quickstart,
  uploadId: ID.upload,
  externalId: 'thread-17',
  taskId: ID.task,
  turns: [
    { role: 'user', content: 'Where is my order?' },
    { role: 'assistant', content: 'It arrives tomorrow.' },
  ],
};
