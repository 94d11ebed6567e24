import { dates, ID, owner } from '../../contract/example-values.ts';
import type { Tag } from './contract.ts';

export const exampleTag: Tag = {
  id: ID.tag,
  name: 'billing',
  color: '#3B82F6',
  ...dates,
  ...owner,
  description: null,
  status: 'ACTIVE',
};
