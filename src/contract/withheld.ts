import { z } from 'zod';

/** Field of records with verdicts. */
export const withheld = z
  .boolean()
  .optional()
  .describe(
    'True if the caller reviews the trace, or a test that is counted, in a blind queue, so that what shows a verdict is withheld; absent otherwise.',
  );
