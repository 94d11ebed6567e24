import { z } from 'zod';
import { namedObject } from '../contract/api-schema.ts';
import { dateTime } from '../contract/values.ts';

export const ownLoginId = z
  .string()
  .min(1)
  .max(64)
  .describe('Id of the login, which says nothing about its cookie.');

export const ownLogin = namedObject('OwnLogin', {
  id: ownLoginId,
  createdAt: dateTime.describe('When the browser signed in.'),
  usedAt: dateTime.describe('When the login was last used, to within five minutes.'),
  expiresAt: dateTime.describe('When the login ends if it is not used.'),
  address: z.string().nullable().describe('Address from which the browser signed in; null if it is unknown.'),
  userAgent: z.string().nullable().describe('What the browser said about itself; null if it is unknown.'),
  isCurrent: z.boolean().describe('True for the login of this call.'),
});
export type OwnLogin = z.input<typeof ownLogin>;

export const endedLogins = z.object({ ended: z.int().describe('Number of logins that ended.') });
