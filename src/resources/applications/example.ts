import { dates, ID } from '../../contract/example-values.ts';
import type { Application } from './contract.ts';

export const exampleApplication: Application = {
  id: ID.application,
  orgId: 'org-1',
  title: 'Support bot',
  slug: 'support-bot',
  description: 'Answers questions of customers',
  context: 'Customers of a furniture shop ask about orders, returns and products.',
  language: 'en',
  type: 'CHATBOT',
  environment: 'PROD',
  humanAnnotationEnabled: false,
  ...dates,
};
