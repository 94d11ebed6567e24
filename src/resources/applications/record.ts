import { asIs, flag, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { Application } from './contract.ts';

export const applications = versionedRecord('application', 'application', {
  orgId: text,
  title: text,
  slug: text,
  description: text,
  context: text,
  language: text,
  type: asIs<Application['type']>(),
  environment: asIs<Application['environment']>(),
  humanAnnotationEnabled: flag,
});
