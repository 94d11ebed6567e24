import type { OperationNotes } from './note.ts';

/** What whoever runs the server asks it. */
export const serverNotes: OperationNotes = {
  'GET /healthz': { id: 'getHealth', answer: { status: 'ok' } },
  'GET /readyz': { id: 'getReadiness', answer: { status: 'ok' } },
};
