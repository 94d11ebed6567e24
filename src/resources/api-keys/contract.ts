import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { scopeName } from '../../contract/scope.ts';
import { dateTime, uuid } from '../../contract/values.ts';

export const createdKey = namedObject('CreatedApiKey', {
  id: uuid,
  key: z.string().describe('The key itself, shown only in this answer.'),
  name: z.string(),
});

export const listedKey = namedObject('ListedApiKey', {
  id: uuid,
  keyId: z.string().describe('Short public identifier of the key.'),
  name: z.string(),
  applicationId: z.string(),
  createdAt: dateTime,
  updatedAt: dateTime,
});
export type ListedKey = z.infer<typeof listedKey>;

export const createKeyBody = z.object({
  name: z.string().min(1).max(256).describe('A name for people.'),
  scopes: z
    .array(scopeName)
    .min(1)
    .max(16)
    .optional()
    .describe(
      'What the key may do; at most what the key that makes it may. Default: the same without `admin`.',
    ),
  expiresAt: dateTime.nullish().describe('The key is of no use from then on. Default: never.'),
});
