import { z } from 'zod';

/** Arguments of `verifyWebhook`; it parses the bytes itself. */
export const forwardedWebhook = z.object({
  signature: z.string().describe('The header `x-service-signature`.'),
  timestamp: z.int().describe('The header `x-service-timestamp`: Unix milliseconds; a number or its text.'),
  body: z.looseObject({}).describe('The body of the webhook as it came.'),
});

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
