import type { OperationNotes } from './note.ts';

/** Routes for the operator of the server. */
export const serverNotes: OperationNotes = {
  'GET /healthz': { id: 'getHealth', answer: { status: 'ok' } },
  'GET /readyz': { id: 'getReadiness', answer: { status: 'ok' } },
};
