import { z } from 'zod';

/** Field of records with verdicts. */
export const withheld = z
  .boolean()
  .optional()
  .describe(
    'True if the caller reviews the trace in a blind queue, so that its verdicts are withheld; absent otherwise.',
  );
