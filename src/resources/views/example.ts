import { dates, ID, owner } from '../../contract/example-values.ts';
import type { View } from './contract.ts';

export const exampleView: View = {
  id: ID.view,
  ...owner,
  ...dates,
  name: 'Slow traces with errors',
  screen: 'traces',
  filter: { q: ['error:yes duration:>10s last:24h'] },
  columns: ['name', 'durationMs', 'cost'],
  sort: '-durationMs',
  isShared: false,
  createdBy: { type: 'key', id: '4fQz81LmKx2P', name: 'CI' },
};
