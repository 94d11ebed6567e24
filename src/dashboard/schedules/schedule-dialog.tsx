import { type ReactNode, useState } from 'react';
import type { PutTaskScheduleBody, Task } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { NoWebhook } from '../tests/no-webhook.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { problemOf, SelectField, TextField } from '../ui/field.tsx';
import { useLacksWebhook } from '../webhook/use-webhook.ts';
import { announce } from '../ui/status-line.tsx';
import { readCron, scheduleText, WEEKDAYS, writeCron } from './words.ts';

type Criticality = PutTaskScheduleBody['criticality'];

const RHYTHMS: readonly (readonly [Criticality, string])[] = [
  ['HIGH', 'Every day'],
  ['MEDIUM', 'Every week'],
  ['LOW', 'Every two weeks'],
];

interface ScheduleDialogProps {
  task: Pick<Task, 'id' | 'taskSchedule'>;
  onClose: () => void;
}

/** Asks when a task runs by itself. */
export function ScheduleDialog({ task: { id, taskSchedule }, onClose }: ScheduleDialogProps): ReactNode {
  const [rhythm, setRhythm] = useState(rhythmOf(taskSchedule));
  const save = useAction(['/v0/tasks'], (api, body: PutTaskScheduleBody) =>
    api.PUT('/v0/tasks/{id}/schedule', { params: { path: { id } }, body }),
  );
  const remove = useAction(['/v0/tasks'], (api) =>
    api.DELETE('/v0/tasks/{id}/schedule', { params: { path: { id } } }),
  );
  const lacksWebhook = useLacksWebhook();
  const { criticality, time, weekday, timezone, enabled } = rhythm;
  const cron = time === '' ? '' : writeCron(criticality, time, Number(weekday));
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
      {lacksWebhook && <NoWebhook />}
      <RhythmFields
        rhythm={rhythm}
        error={save.error}
        onChange={(patch) => setRhythm({ ...rhythm, ...patch })}
      />
      <CheckField checked={enabled} onChange={(isOn) => setRhythm({ ...rhythm, enabled: isOn })}>
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

interface Rhythm {
  criticality: Criticality;
  /** Such as `09:30`; empty for a time that the server chooses. */
  time: string;
  /** Number of the day, 0 for Sunday. */
  weekday: string;
  timezone: string;
  enabled: boolean;
}

/** Returns a schedule as the form shows it, or what it suggests for a new one. */
function rhythmOf(schedule: Task['taskSchedule']): Rhythm {
  const known = schedule?.cron ? readCron(schedule.cron) : null;
  return {
    criticality: schedule?.criticality ?? 'HIGH',
    time: known?.time ?? '',
    weekday: String(known?.weekday ?? 1),
    timezone: schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    enabled: schedule?.enabled ?? true,
  };
}

interface RhythmFieldsProps {
  rhythm: Rhythm;
  error: unknown;
  onChange: (patch: Partial<Rhythm>) => void;
}

function RhythmFields({ rhythm, error, onChange }: RhythmFieldsProps): ReactNode {
  const { criticality, time, weekday, timezone } = rhythm;
  return (
    <>
      <SelectField
        label="Rhythm"
        value={criticality}
        choices={RHYTHMS}
        onChange={({ target }) => onChange({ criticality: target.value as Criticality })}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Time"
          type="time"
          help="Empty for a time that the server chooses."
          problem={problemOf(error, 'cron')}
          value={time}
          onChange={({ target }) => onChange({ time: target.value })}
        />
        {criticality !== 'HIGH' && time !== '' && (
          <SelectField
            label="Day"
            value={weekday}
            choices={WEEKDAYS.map((name, index) => [String(index), name] as const)}
            onChange={({ target }) => onChange({ weekday: target.value })}
          />
        )}
      </div>
      {time !== '' && (
        <TextField
          label="Time zone"
          help="Such as Europe/Berlin."
          required
          problem={problemOf(error, 'timezone')}
          value={timezone}
          onChange={({ target }) => onChange({ timezone: target.value })}
        />
      )}
    </>
  );
}
