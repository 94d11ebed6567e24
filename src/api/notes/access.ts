import type { OperationNotes } from './note.ts';
import { application, AT, ID, page } from './values.ts';

const key = { id: ID.key, key: 'sk_4fQz81LmKx2P_…', name: 'First key' };

/** Applications and API keys. */
export const accessNotes: OperationNotes = {
  'POST /v0/api-keys': {
    id: 'createApiKey',
    body: { name: 'CI', scopes: ['ingest', 'read'] },
    answer: { data: { ...key, name: 'CI' } },
  },
  'GET /v0/api-keys': {
    id: 'listApiKeys',
    answer: {
      data: [
        {
          id: ID.key,
          keyId: '4fQz81LmKx2P',
          name: 'CI',
          applicationId: ID.application,
          createdAt: AT,
          updatedAt: AT,
        },
      ],
    },
  },
  'DELETE /v0/api-keys/{id}': { id: 'revokeApiKey' },

  'POST /v0/applications': {
    id: 'createApplication',
    body: { title: 'Support bot', type: 'CHATBOT', environment: 'PROD' },
    answer: { data: application, apiKey: key },
  },
  'GET /v0/applications': { id: 'listApplications', answer: page([application]) },
  'GET /v0/applications/{id}': { id: 'getApplication', answer: { data: application } },
  'PUT /v0/applications/{id}': {
    id: 'updateApplication',
    body: { description: 'Answers questions of customers' },
    answer: { data: application },
  },
};
