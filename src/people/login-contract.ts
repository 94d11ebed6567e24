import { z } from 'zod';
import { namedObject } from '../contract/api-schema.ts';
import { scopeName } from '../contract/scope.ts';
import { dateTime, shortText, uuid } from '../contract/values.ts';
import { roleName } from './roles.ts';
import { isToken } from './tokens.ts';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 256;

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .check(z.email('must be an email address, such as ada@example.com'));
const personName = shortText;
export const newPassword = z
  .string()
  .min(MIN_PASSWORD)
  .max(MAX_PASSWORD)
  .describe(`${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
/** A password to compare, which any text may be. */
const password = z.string().min(1).max(MAX_PASSWORD);
const linkToken = z
  .string()
  .max(100)
  .refine(isToken, { error: 'must be the token of a link', params: { code: 'invalid_string' } })
  .describe('The part of the link after `=`.');

export const login = namedObject('Login', {
  user: z
    .object({ id: uuid, name: z.string(), email: z.string() })
    .nullable()
    .describe('Null when signed in with an API key.'),
  apiKey: z
    .object({ id: uuid, name: z.string() })
    .nullable()
    .describe('The API key that was used to sign in; the login ends with it.'),
  csrf: z.string().describe('Every call with the cookie must send this in the header `x-csrf`.'),
  expiresAt: dateTime.describe(
    'When the login ends if it is not used: after 12 hours without a call, and after 7 days at the latest.',
  ),
  applications: z
    .array(
      z.object({
        id: uuid,
        name: z.string().describe('The title of the application.'),
        role: roleName.nullable().describe('Null when signed in with an API key.'),
        scopes: z.array(scopeName),
      }),
    )
    .describe('The applications that calls may name in `x-application-id`.'),
});
export type Login = z.input<typeof login>;

export const loginBody = z.union([z.object({ email, password }), z.object({ apiKey: z.string().max(256) })]);

export const setupBody = z.object({
  token: linkToken,
  name: personName,
  email,
  password: newPassword,
});

export const acceptInvitationBody = z.object({
  token: linkToken,
  name: personName.describe('Without effect if the account exists already.'),
  password: password.describe(
    `If an account with the invited email address exists, its password. Otherwise the password of the new account: ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`,
  ),
});

export const changePasswordBody = z.object({ currentPassword: password, newPassword });
