import { asIs, nullable, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { TagFields } from './contract.ts';

export const tags = record('tag', 'tag', {
  name: text,
  color: text,
  description: nullable(text),
  status: asIs<TagFields['status']>(),
});
