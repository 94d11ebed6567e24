import type { OperationNotes } from './note.ts';
import { dates, ID, owner, page } from './values.ts';

const upload = {
  id: ID.upload,
  quickstartId: ID.quickstart,
  fileName: 'conversations.csv',
  fileSize: 48_211,
  status: 'COMPLETED',
  materialType: 'conversations',
  ...dates,
};
const listed = {
  id: ID.quickstart,
  ...owner,
  ...dates,
  name: 'Support bot',
  styleGuideId: ID.styleGuide,
  status: 'STYLE_REVIEW',
  reason: null,
  uploads: [upload],
};
const quickstart = { ...listed, counts: { topics: 4, tasks: 31, definitions: 6, documents: 12 } };

/** Quickstarts and their uploads. */
export const quickstartNotes: OperationNotes = {
  'POST /v0/quickstarts': {
    id: 'createQuickstart',
    body: { name: 'Support bot' },
    answer: {
      data: {
        ...quickstart,
        styleGuideId: null,
        status: 'UPLOADING',
        uploads: [],
        counts: { topics: 0, tasks: 0, definitions: 0, documents: 0 },
      },
    },
  },
  'GET /v0/quickstarts': { id: 'listQuickstarts', answer: page([listed]) },
  'GET /v0/quickstarts/{id}': { id: 'getQuickstart', answer: { data: quickstart } },
  'PUT /v0/quickstarts/{id}': {
    id: 'updateQuickstart',
    body: { status: 'STYLE_REVIEW' },
    answer: { data: quickstart },
  },
  'GET /v0/quickstarts/{id}/conversations': {
    id: 'listConversations',
    answer: page([
      {
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
      },
    ]),
  },
  'GET /v0/quickstarts/{id}/policy-counts': {
    id: 'getPolicyCounts',
    answer: {
      data: {
        topicsCount: 1,
        applicationEvalCount: 2,
        topicEvalCounts: [{ topicId: ID.topic, evalCount: 4 }],
      },
    },
  },
  'POST /v0/quickstarts/confirm-style-scores': {
    id: 'confirmStyleScores',
    body: { quickstartId: ID.quickstart },
    answer: { data: { quickstartId: ID.quickstart, applicationId: ID.application } },
  },

  'POST /v1/quickstarts/uploads': {
    id: 'uploadMaterial',
    answer: { data: { ...upload, status: 'PENDING' } },
  },
  'GET /v1/quickstarts/uploads': { id: 'listUploads', answer: { data: [upload] } },
  'GET /v1/quickstarts/uploads/{id}': {
    id: 'getUpload',
    answer: {
      data: {
        ...upload,
        report: {
          rows: 120,
          created: {
            topics: 4,
            tasks: 31,
            inputExamples: 118,
            conversations: 0,
            documents: 0,
            definitions: 0,
          },
          rejected: [{ line: 17, error: 'input: must not be empty' }],
          rejectedCount: 1,
        },
      },
    },
  },
};
