import { z } from 'zod';

/** Schema of the arguments of `verifyWebhook`, which parses the bytes itself. */
export const forwardedWebhook = z.object({
  signature: z.string().describe('Value of the header `x-service-signature`.'),
  timestamp: z
    .int()
    .describe('Value of the header `x-service-timestamp`: Unix milliseconds as a number or as text.'),
  body: z.looseObject({}).describe('Unchanged body of the webhook.'),
});

export const webhookVerdict = z.object({
  valid: z.boolean(),
  reason: z
    .enum(['stale', 'other_secret', 'body_changed', 'malformed'])
    .optional()
    .describe('Reason why it is not valid. Only with the header `x-explain: true` and the scope `admin`.'),
  pointer: z
    .string()
    .optional()
    .describe('JSON pointer of the first difference within the body, for `body_changed`.'),
  detail: z.string().optional().describe('Description of the fault, for `malformed`.'),
});
export type Explanation = Omit<z.input<typeof webhookVerdict>, 'valid'>;
