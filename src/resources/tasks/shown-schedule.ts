import type { Owner } from '../../contract/owner.ts';
import type { Schedule } from '../../deliver/schedule-store.ts';
import type { TaskSchedule } from './schedule-contract.ts';

export const shownSchedule = (schedule: Schedule, { applicationId }: Owner): TaskSchedule => ({
  applicationId,
  ...schedule,
  cron: schedule.cron ?? '',
});
