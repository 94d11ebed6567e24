import { type ReactNode, useState } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { formatAgo, formatMoment } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/badge.tsx';
import { Section } from '../ui/panel.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { nextRuns, scheduleText } from './words.ts';

/** Next runs that are listed. */
const SHOWN_RUNS = 5;

/** Shows when a task runs by itself, and changes it. */
export function SchedulePanel({ task }: { task: Task }): ReactNode {
  const mayWrite = useScope('write');
  const [isEditing, setEditing] = useState(false);
  const { taskSchedule: schedule, status } = task;
  return (
    <Section
      title="Schedule"
      actions={
        mayWrite &&
        status !== 'ARCHIVED' && (
          <Button onClick={() => setEditing(true)}>{schedule === null ? 'Set a schedule' : 'Edit'}</Button>
        )
      }
    >
      {schedule === null ? (
        <p className="py-1 text-dim">The task runs only by hand or from CI.</p>
      ) : (
        <>
          <p className="flex flex-wrap items-center gap-2 py-1">
            {scheduleText(schedule)} {!schedule.enabled && <Badge tone="doubt">‖ Paused</Badge>}
          </p>
          {schedule.nextRunAt === null ? (
            <p className="text-dim">
              {status === 'ACTIVE'
                ? 'It does not run while it is paused.'
                : 'It runs once the task is active.'}
            </p>
          ) : (
            <>
              <p className="text-label text-dim">Next runs, in the time zone of this browser</p>
              <ol aria-label="Next runs">
                {nextRuns(schedule, Date.parse(schedule.nextRunAt), SHOWN_RUNS).map((at) => (
                  <li key={at} className="flex justify-between gap-3 border-t border-line py-0.5">
                    <span>{formatMoment(new Date(at).toISOString())}</span>
                    <span className="text-dim">{formatAgo(new Date(at).toISOString())}</span>
                  </li>
                ))}
              </ol>
            </>
          )}
          {schedule.lastRunAt !== null && (
            <p className="mt-1 text-label text-dim">
              Ran last {formatAgo(schedule.lastRunAt)}, at {formatMoment(schedule.lastRunAt)}.
            </p>
          )}
        </>
      )}
      {isEditing && <ScheduleDialog task={task} onClose={() => setEditing(false)} />}
    </Section>
  );
}
