import { asIs, nullable, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { Run } from './contract.ts';

export const runs = record('run', 'run', {
  taskId: text,
  type: asIs<Run['type']>(),
  experimentVariantId: nullable(text),
});
