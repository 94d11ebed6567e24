import { z } from 'zod';
import { namedObject } from '../contract/api-schema.ts';
import { dateTime, uuid } from '../contract/values.ts';
import { email } from './login-contract.ts';
import { roleName } from './roles.ts';

export const member = namedObject('Member', {
  id: uuid.describe('Id of the user.'),
  name: z.string(),
  email: z.string(),
  role: roleName,
  createdAt: dateTime,
  modifiedAt: dateTime,
});
export type Member = z.input<typeof member>;

export const updateMemberBody = z.object({ role: roleName });

export const invitation = namedObject('Invitation', {
  id: uuid,
  email: z.string(),
  role: roleName,
  createdAt: dateTime,
  expiresAt: dateTime,
});
export type Invitation = z.input<typeof invitation>;

export const createInvitationBody = z.object({ email, role: roleName });

export const createdInvitation = z.object({
  data: invitation,
  link: z.string().describe('The link to give to the invited person. It is shown only in this response.'),
});
