import { asIs, nullable, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { Quickstart } from './contract.ts';

export const quickstarts = versionedRecord('quickstart', 'quickstart', {
  name: text,
  status: asIs<Quickstart['status']>(),
  styleGuideId: nullable(text),
  reason: nullable(text),
});
