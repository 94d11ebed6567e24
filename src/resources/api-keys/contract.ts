import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { scopeName } from '../../contract/scope.ts';
import { dateTime, givenTime, textKey, uuid } from '../../contract/values.ts';

export const createdKey = namedObject('CreatedApiKey', {
  id: uuid,
  key: z.string().describe('The key itself, shown only in this response.'),
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
  name: textKey(256).describe('Name of the key for display.'),
  scopes: z
    .array(scopeName)
    .min(1)
    .max(16)
    .optional()
    .describe('Scopes of the key; only those of the key that creates it. Default: the same without `admin`.'),
  expiresAt: givenTime.nullish().describe('Time from which the key is no longer valid. Default: never.'),
});
