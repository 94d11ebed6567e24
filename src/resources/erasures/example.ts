import { dates, ID, LATER, owner } from '../../contract/example-values.ts';
import { type Erasure, NOT_LISTED } from './contract.ts';

export const exampleErasure: Erasure = {
  id: ID.erasure,
  ...owner,
  subjectType: 'user',
  subjectHash: '0b14d501a594442a01c6859541bcb3e8164d183d32937b851835442f69d5c94e',
  status: 'COMPLETED',
  pendingFor: null,
  counts: {
    traces: 41,
    spans: 377,
    logRecords: 0,
    annotations: 2,
    notes: 1,
    queueItems: 1,
    examples: 0,
    evals: 82,
    deliveries: 0,
    tests: 0,
    tasks: 0,
    views: 0,
  },
  copies: {
    total: 1,
    data: [
      { kind: 'BACKUP', name: '2026-11-22.backup', createdAt: dates.createdAt, createdBy: 'Command line' },
    ],
    notListed: NOT_LISTED,
  },
  requestedBy: { type: 'user', id: ID.user, name: 'Ada Lovelace' },
  ...dates,
  completedAt: LATER,
};
