import { z } from 'zod';

/** Type of a document; scrape jobs create documents of a chosen type. */
export const documentType = z
  .enum(['KNOWLEDGE', 'POLICY'])
  .describe('What is known, or what must be kept to.');
