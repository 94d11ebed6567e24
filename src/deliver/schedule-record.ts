import { asIs, flag, nullable, text, time } from '../storage/column.ts';
import { table } from '../storage/record.ts';
import type { Criticality } from './schedule.ts';

export const schedules = table(
  'task_schedule',
  'schedule',
  {
    taskId: text,
    criticality: asIs<Criticality>(),
    cron: nullable(text),
    timezone: text,
    enabled: flag,
    nextRunAt: nullable(time),
    lastRunAt: nullable(time),
  },
  'taskId',
);
