import type { ById } from '../../contract/owner.ts';
import { isoTime } from '../../contract/values.ts';
import type { Actor } from '../../contract/scope.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { lesser, greater } from '../../storage/dialect.ts';
import { addIssueEvent } from './events.ts';
import { byIdOrNumber, findIssueId } from './find.ts';
import { addToDay, countLinked, countUnlinked } from './link-counts.ts';
import { notes } from '../notes/record.ts';
import { issueLinks, issues } from './record.ts';

/** Most links and notes that one command moves. */
const STEP_ROWS = 500;

const states = issues.pick('id', 'number', 'status', 'mergedInto', 'parentId', 'sampleQueueId');

interface Merge extends ById {
  /** Id or number of the issue that gets the links. */
  into: string;
  actor: Actor;
  at: number;
}

/**
 * Rejects an issue in favour of another, to which its links are moved afterwards. Returns the ids of both. Throws `not_found`,
 * and `conflict` for an issue that cannot be merged.
 */
function beginMerge(database: Database, { owner, id, into, actor, at }: Merge): { id: string; into: string } {
  const { application } = owner;
  const [from, target] = [id, findIssueId(database, application, into)].map((one) =>
    states.require(database, application, one),
  ) as [ReturnType<typeof states.require>, ReturnType<typeof states.require>];
  if (from.id === target.id) throw new AppError('conflict', 'An issue cannot be merged into itself');
  if (target.mergedInto !== null)
    throw new AppError('conflict', `Issue ${target.number} was merged into another issue itself`);
  if (from.mergedInto === target.id) return { id: from.id, into: target.id };
  if (from.mergedInto !== null)
    throw new AppError('conflict', 'The issue was merged into another issue already');
  const reason = `Merged into issue ${target.number}`;
  const by = { type: actor.type, id: actor.id, name: actor.name };
  issues.update(
    database,
    { application, id: from.id, at },
    {
      status: 'REJECTED',
      mergedInto: target.id,
      parentId: null,
      resolution: null,
      rejection: { at: isoTime(at), by, reason },
    },
  );
  // Parts of an issue have no parts, so those of this one become parts of the target or of its parent.
  database.run(
    `UPDATE issue SET parent_id = CASE WHEN id = :parent THEN NULL ELSE :parent END
     WHERE application = :application AND parent_id = :from`,
    {
      application,
      from: from.id,
      parent: target.parentId === from.id ? target.id : (target.parentId ?? target.id),
    },
  );
  if (from.sampleQueueId !== null && target.sampleQueueId === null)
    database.run(
      'UPDATE issue SET sample_queue_id = :queueId WHERE application = :application AND id = :id',
      { application, id: target.id, queueId: from.sampleQueueId },
    );
  for (const [issueId, other, isTarget] of [
    [from.id, target, true],
    [target.id, from, false],
  ] as const) {
    const issue = { id: other.id, number: other.number, isTarget };
    addIssueEvent(database, { application, issueId, kind: 'MERGED', actor, at, detail: { issue } });
  }
  return { id: from.id, into: target.id };
}

interface MoveLinks {
  application: number;
  id: string;
  into: string;
  at: number;
}

/** Moves some links and notes of a merged issue; returns whether there may be more. */
function moveLinks(database: Database, { application, id, into, at }: MoveLinks): boolean {
  const some = { issueId: id, limit: STEP_ROWS };
  const moved = notes.updateSome(
    database,
    { application, at },
    { issueId: into },
    'issue_id = :issueId',
    some,
  );
  const links = database.all<{ id: string; traceId: Buffer; seenAt: number }>(
    `SELECT id, trace_id AS "traceId", seen_at AS "seenAt" FROM issue_link
     WHERE application = :application AND issue_id = :issueId LIMIT :limit`,
    { application, ...some },
  );
  const added: number[] = [];
  for (const link of links) {
    const isLinked = database.get(
      'SELECT 1 FROM issue_link WHERE application = :application AND issue_id = :into AND trace_id = :traceId',
      { application, into, traceId: link.traceId },
    );
    if (isLinked !== undefined) issueLinks.delete(database, { application, id: link.id });
    else {
      issueLinks.updateAll(database, { application, at }, { issueId: into }, 'id = :linkId', {
        linkId: link.id,
      });
      added.push(link.seenAt);
    }
  }
  countLinked(database, { application, issueId: into }, added);
  countUnlinked(
    database,
    { application, issueId: id },
    links.map(({ seenAt }) => seenAt),
  );
  if (links.length === STEP_ROWS || moved.length === STEP_ROWS) return true;
  moveDeleted(database, { application, id, into });
  return false;
}

/** Adds what deleted traces have left in the counters of a merged issue to those of the other. */
function moveDeleted(database: Database, { application, id, into }: Omit<MoveLinks, 'at'>): void {
  const of = { application, issueId: id };
  const days = database.all<{ day: number; count: number }>(
    'SELECT day, count FROM issue_day WHERE application = :application AND issue_id = :issueId',
    of,
  );
  for (const { day, count } of days) addToDay(database, { application, issueId: into, day, count });
  database.run('DELETE FROM issue_day WHERE application = :application AND issue_id = :issueId', of);
  const left = database.get<{ links: number; deleted: number; first: number | null; last: number }>(
    `SELECT link_count AS links, deleted_count AS deleted, first_seen_at AS first, last_seen_at AS last
     FROM issue WHERE application = :application AND id = :issueId`,
    of,
  );
  if (!left || left.links === 0 || left.first === null) return;
  database.run(
    `UPDATE issue SET link_count = link_count + :links, deleted_count = deleted_count + :deleted,
       first_seen_at = CASE WHEN first_seen_at IS NULL THEN :first ELSE ${lesser('first_seen_at', ':first')} END,
       last_seen_at = CASE WHEN first_seen_at IS NULL THEN :last ELSE ${greater('last_seen_at', ':last')} END
     WHERE application = :application AND id = :into`,
    { application, into, ...left },
  );
  database.run(
    `UPDATE issue SET link_count = 0, deleted_count = 0, first_seen_at = NULL, last_seen_at = created_at
     WHERE application = :application AND id = :issueId`,
    of,
  );
}

export const issueMergeCommands = { beginMerge: byIdOrNumber(beginMerge), moveLinks };
