import { asIs, flag, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { Application } from './contract.ts';

export const applications = record('application', 'application', {
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
