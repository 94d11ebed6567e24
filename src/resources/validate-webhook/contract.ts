import { z } from 'zod';

export const verdict = z.object({
  valid: z.boolean(),
  reason: z
    .enum(['stale', 'other_secret', 'body_changed', 'malformed'])
    .optional()
    .describe('Why it is not valid. Only with the header `x-explain: true` and the scope `admin`.'),
  pointer: z
    .string()
    .optional()
    .describe('With `body_changed`: JSON pointer of the first difference within the body.'),
  detail: z.string().optional().describe('With `malformed`: what is wrong, for people.'),
});
export type Explanation = Omit<z.input<typeof verdict>, 'valid'>;
