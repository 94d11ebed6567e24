import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { CRITICALITIES, isCron, isTimezone } from '../../deliver/schedule.ts';

export const criticality = z
  .enum(CRITICALITIES)
  .describe('Frequency of the task: `HIGH` daily, `MEDIUM` weekly, `LOW` every two weeks.');

export const taskSchedule = namedObject('TaskSchedule', {
  applicationId: uuid,
  taskId: uuid,
  criticality,
  cron: z.string().describe('Empty if the server chooses the time.'),
  timezone: z.string(),
  enabled: z.boolean(),
  nextRunAt: dateTime
    .nullable()
    .describe('Time of the next run; null when the schedule or the task is not active.'),
  lastRunAt: dateTime.nullable(),
});
export type TaskSchedule = z.infer<typeof taskSchedule>;

const isText = { params: { code: 'invalid_string' } };

export const scheduleBody = z.object({
  criticality,
  cron: z
    .string()
    .max(100)
    .refine((cron) => cron === '' || isCron(cron), {
      error: 'must be a cron expression of five fields, such as `30 9 * * *`',
      ...isText,
    })
    .nullable()
    .optional()
    .describe(
      'Time of the day for `HIGH` (`30 9 * * *`), of the week for `MEDIUM` and `LOW` (`30 9 * * MON`; `LOW` uses every second week). The task starts within five minutes after it. Null or empty for a time that the server chooses.',
    ),
  timezone: z
    .string()
    .max(64)
    .refine(isTimezone, { error: 'must be an IANA time zone, such as Europe/Berlin', ...isText })
    .optional()
    .describe('IANA time zone of `cron`. Default: `UTC`.'),
  enabled: z.boolean().optional().describe('Default: true.'),
});
export type ScheduleBody = z.output<typeof scheduleBody>;
