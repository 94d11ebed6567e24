import { dates, ID, owner } from '../../contract/example-values.ts';
import type { Note } from './contract.ts';

export const exampleNote: Note = {
  id: ID.note,
  ...owner,
  ...dates,
  traceId: ID.trace,
  spanId: null,
  field: 'OUTPUT',
  start: 0,
  end: 11,
  quote: 'Your refund',
  text: 'Promises the money without knowing the order.',
  mentions: [],
  issueId: null,
  half: null,
  isSealed: false,
  createdBy: { type: 'key', id: '4fQz81LmKx2P', name: 'CI' },
};
