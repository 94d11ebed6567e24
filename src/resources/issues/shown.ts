import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import type { RecordOf } from '../../storage/record.ts';
import { withIds } from '../../storage/rows-by-id.ts';
import { dayOf } from '../../traces/trace-keys.ts';
import { type IssueRecord, SHOWN_DAYS } from './contract.ts';
import type { issues } from './record.ts';
import { frequenciesOf } from './sample.ts';

const DAY_MS = 86_400_000;

type StoredIssue = RecordOf<typeof issues>;

/** Returns issues as the API shows them, in their order. */
export function shownIssues(
  database: Database,
  { application, now }: { application: number; now: number },
  all: readonly StoredIssue[],
): IssueRecord[] {
  const frequencies = frequenciesOf(database, application, all);
  const days = countsOfDays(database, { application, now }, all);
  const names = namesOf(
    database,
    all.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const targets = numbersOf(
    database,
    application,
    all.flatMap(({ mergedInto }) => mergedInto ?? []),
  );
  return all.map(
    ({ matchLine, mergedInto, sampleQueueId: _queue, creatorType, creatorId, creatorName, ...issue }) => ({
      ...issue,
      annotationId: issue.humanAnnotationId,
      ownerName: names.get(issue.ownerId ?? '') ?? null,
      match: matchLine,
      mergedInto: mergedInto === null ? null : { id: mergedInto, number: targets.get(mergedInto) ?? 0 },
      frequency: frequencies.get(issue.id) as IssueRecord['frequency'],
      daily: lastDays(now).map((day) => ({
        date: isoTime(day * DAY_MS).slice(0, 10),
        count: days.get(`${issue.id} ${day}`) ?? 0,
      })),
      createdBy: { type: creatorType, id: creatorId, name: creatorName },
    }),
  );
}

const lastDays = (now: number): number[] =>
  Array.from({ length: SHOWN_DAYS }, (_, place) => dayOf(now) - SHOWN_DAYS + 1 + place);

function countsOfDays(
  database: Database,
  { application, now }: { application: number; now: number },
  all: readonly StoredIssue[],
): Map<string, number> {
  const rows = database.all<{ issueId: string; day: number; count: number }>(
    `SELECT issue_id AS "issueId", day, count FROM issue_day
     WHERE application = :application AND issue_id IN ${valuesOf(':ids')} AND day > :before`,
    { application, ids: JSON.stringify(all.map(({ id }) => id)), before: dayOf(now) - SHOWN_DAYS },
  );
  return new Map(rows.map(({ issueId, day, count }) => [`${issueId} ${day}`, count]));
}

/** Returns the names of users by id. */
function namesOf(database: Database, ids: readonly string[]): Map<string, string> {
  const rows = database.all<{ id: string; name: string }>(
    `SELECT id, name FROM user_account WHERE id IN ${valuesOf(':ids')}`,
    { ids: JSON.stringify(ids) },
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function numbersOf(database: Database, application: number, ids: readonly string[]): Map<string, number> {
  const rows = database.all<{ id: string; number: number }>(`SELECT id, number FROM ${withIds('issue')}`, {
    application,
    ids: JSON.stringify(ids),
  });
  return new Map(rows.map(({ id, number }) => [id, number]));
}
