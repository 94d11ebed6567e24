import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { uuid } from '../../contract/values.ts';
import { ANSWER_BYTES } from '../../deliver/relay.ts';

const MAX_HEADER_CHARACTERS = 32 * 1024;

/** Schema of the data of an event `delivery`. */
export const relayedRequest = namedObject('RelayedRequest', {
  id: uuid,
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  timeoutMs: z.int().positive(),
});

const headers = z
  .record(z.string(), z.string())
  .refine((given) => JSON.stringify(given).length <= MAX_HEADER_CHARACTERS, {
    error: `must have at most ${MAX_HEADER_CHARACTERS} characters in all`,
    params: { code: 'too_big' },
  });

export const relayedAnswer = z.union([
  namedObject('RelayedResponse', {
    status: z.int().min(100).max(999).describe("HTTP status of the app's response."),
    headers: headers.default({}).describe('Headers of the response.'),
    body: z.string().max(ANSWER_BYTES).default('').describe('First 16 KiB of the response, as text.'),
  }),
  namedObject('RelayedFailure', {
    error: z.object({
      kind: z
        .enum(['refused', 'timeout', 'dns', 'lost'])
        .describe(
          'Reason why there is no response: no connection, a timeout, a name without an address, or a broken connection.',
        ),
      message: z.string().min(1).max(1_000),
    }),
  }),
]);
