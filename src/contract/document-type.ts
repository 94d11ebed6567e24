import { z } from 'zod';

/** What documents are: also what scrape jobs are told to make. */
export const documentType = z
  .enum(['KNOWLEDGE', 'POLICY'])
  .describe('What is known, or what must be kept to.');
