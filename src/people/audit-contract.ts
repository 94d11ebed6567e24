import { z } from 'zod';
import { namedObject } from '../contract/api-schema.ts';
import { paging } from '../contract/paging.ts';
import { several } from '../contract/query.ts';
import { ACTOR_TYPES } from '../contract/scope.ts';
import { dateTime, givenTime } from '../contract/values.ts';

export const auditEntry = namedObject('AuditEntry', {
  id: z.int(),
  createdAt: dateTime,
  actor: z.object({
    type: z.enum(ACTOR_TYPES),
    id: z.string().describe('Id of the user, or `keyId` of the API key.'),
    name: z.string().describe('Name of the user or of the key at that time.'),
  }),
  action: z.string().describe('The `operationId` of the call, or `backup` for the command of that name.'),
  resourceId: z
    .string()
    .nullable()
    .describe('The ids in the path of the call, separated by slashes, or the id of the created record.'),
  requestId: z.string().describe('The `x-request-id` of the call.'),
  detail: z
    .string()
    .nullable()
    .describe(
      'For failed sign-ins: where they came from, and how many they were. For `backup`: the name of the file. Null for other entries.',
    ),
});
export type AuditEntry = z.input<typeof auditEntry>;

export const auditQuery = z.object({
  ...paging(['createdAt']),
  actorId: several(z.string().min(1).max(256)).describe('Entries of one of these users or keys.'),
  action: several(z.string().min(1).max(100)).describe('Entries with one of these actions.'),
  resourceId: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Entries of this record, and of the records in it, such as the examples of a task.'),
  startDate: givenTime.optional().describe('Entries of this time or later.'),
  endDate: givenTime.optional().describe('Entries of this time or earlier.'),
});
export type AuditQuery = z.output<typeof auditQuery>;
