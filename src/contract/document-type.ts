import { z } from 'zod';

/** Type of a document; scrape jobs create documents of a chosen type. */
export const documentType = z
  .enum(['KNOWLEDGE', 'POLICY'])
  .describe('`KNOWLEDGE`: facts; `POLICY`: rules that outputs must follow.');
