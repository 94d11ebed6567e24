import { z } from 'zod';
import { dateTime, uuid } from './values.ts';

/** Fields of every record of an application. */
export const recordFields = {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  modifiedAt: dateTime,
};
