import { type ReactNode, useState } from 'react';
import type { PutTaskScheduleBody, Task } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { problemOf, SelectField, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { readCron, scheduleText, WEEKDAYS, writeCron } from './words.ts';

type Criticality = PutTaskScheduleBody['criticality'];

const RHYTHMS: readonly (readonly [Criticality, string])[] = [
  ['HIGH', 'Every day'],
  ['MEDIUM', 'Every week'],
  ['LOW', 'Every two weeks'],
];

/** Asks when a task runs by itself. */
export function ScheduleDialog({
  task: { id, taskSchedule },
  onClose,
}: {
  task: Pick<Task, 'id' | 'taskSchedule'>;
  onClose: () => void;
}): ReactNode {
  const known = taskSchedule?.cron ? readCron(taskSchedule.cron) : null;
  const [criticality, setCriticality] = useState<Criticality>(taskSchedule?.criticality ?? 'HIGH');
  const [time, setTime] = useState(known?.time ?? '');
  const [weekday, setWeekday] = useState(known?.weekday ?? 1);
  const [timezone, setTimezone] = useState(
    taskSchedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [enabled, setEnabled] = useState(taskSchedule?.enabled ?? true);
  const save = useAction(['tasks'], (api, body: PutTaskScheduleBody) =>
    api.PUT('/v0/tasks/{id}/schedule', { params: { path: { id } }, body }),
  );
  const remove = useAction(['tasks'], (api) =>
    api.DELETE('/v0/tasks/{id}/schedule', { params: { path: { id } } }),
  );
  const cron = time === '' ? null : writeCron(criticality, time, weekday);
  const body = { criticality, cron, timezone, enabled };
  const done = (text: string) => ({
    onSuccess: () => {
      announce(text);
      onClose();
    },
  });
  return (
    <AskDialog
      title="Schedule"
      action="Save"
      isBusy={save.isPending || remove.isPending}
      error={save.error ?? remove.error}
      onConfirm={() => save.mutate(body, done('Schedule saved'))}
      onClose={onClose}
    >
      <SelectField
        label="Rhythm"
        value={criticality}
        onChange={({ target }) => setCriticality(target.value as Criticality)}
      >
        {RHYTHMS.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Time"
          type="time"
          help="Empty for a time that the server chooses."
          problem={problemOf(save.error, 'cron')}
          value={time}
          onChange={({ target }) => setTime(target.value)}
        />
        {criticality !== 'HIGH' && time !== '' && (
          <SelectField
            label="Day"
            value={String(weekday)}
            onChange={({ target }) => setWeekday(Number(target.value))}
          >
            {WEEKDAYS.map((name, index) => (
              <option key={name} value={index}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {time !== '' && (
        <TextField
          label="Time zone"
          help="Such as Europe/Berlin."
          required
          problem={problemOf(save.error, 'timezone')}
          value={timezone}
          onChange={({ target }) => setTimezone(target.value)}
        />
      )}
      <CheckField checked={enabled} onChange={setEnabled}>
        Runs by itself
      </CheckField>
      <p className="text-dim">{scheduleText(body)}. It starts within five minutes after that time.</p>
      {taskSchedule !== null && (
        <div>
          <Button
            look="danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate(undefined, done('Schedule deleted'))}
          >
            Delete the schedule
          </Button>
        </div>
      )}
    </AskDialog>
  );
}
