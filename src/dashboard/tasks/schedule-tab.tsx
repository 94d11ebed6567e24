import type { ReactNode } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { SchedulePanel } from '../schedules/schedule-panel.tsx';

/** Shows when a task runs by itself, and changes it. */
export const ScheduleTab = ({ task }: { task: Task }): ReactNode => (
  <div className="max-w-[680px] p-4">
    <SchedulePanel task={task} />
  </div>
);
