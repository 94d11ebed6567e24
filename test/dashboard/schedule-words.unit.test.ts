import { expect, it } from 'vitest';
import { nextRuns, readCron, scheduleText, writeCron } from '../../src/dashboard/schedules/words.ts';

const timezone = 'Europe/Berlin';

it.each([
  [{ criticality: 'HIGH', cron: '' }, 'Every day, at a time that the server chooses'],
  [{ criticality: 'HIGH', cron: '30 9 * * *' }, 'Every day at 09:30 (Europe/Berlin)'],
  [{ criticality: 'MEDIUM', cron: '5 17 * * FRI' }, 'Every Friday at 17:05 (Europe/Berlin)'],
  [{ criticality: 'LOW', cron: '0 0 * * 7' }, 'Every second Sunday at 00:00 (Europe/Berlin)'],
  [{ criticality: 'HIGH', cron: '*/5 * * * *' }, 'Every day at “*/5 * * * *” (Europe/Berlin)'],
] as const)('%o is reported as “%s”', (rhythm, text) => {
  expect(scheduleText({ ...rhythm, timezone })).toBe(text);
});

it('what the form writes is what it reads', () => {
  expect(readCron(writeCron('LOW', '09:05', 3))).toEqual({ time: '09:05', weekday: 3 });
  expect(writeCron('HIGH', '09:05', 3)).toBe('5 9 * * *');
});

it('the next runs keep their local time when the clock changes', () => {
  const first = Date.parse('2026-10-24T07:30:00Z');
  const rhythm = { criticality: 'HIGH', cron: '30 9 * * *', timezone } as const;
  expect(nextRuns(rhythm, first, 3).map((at) => new Date(at).toISOString())).toEqual([
    '2026-10-24T07:30:00.000Z',
    '2026-10-25T08:30:00.000Z',
    '2026-10-26T08:30:00.000Z',
  ]);
  const anyTime = nextRuns({ ...rhythm, cron: '' }, first, 2);
  expect(anyTime[1]).toBe(first + 24 * 3_600_000);
});
