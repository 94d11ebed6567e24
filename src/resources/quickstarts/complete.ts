import { enqueueJob, finishJob } from '../../jobs/store.ts';
import type { Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import { readOwner } from '../applications/read-application.ts';
import { linkDefinitions } from '../definitions/definition-links.ts';
import { activateDefinitions } from '../definitions/store.ts';
import { approveDocument } from '../documents/store.ts';
import { approveStyleGuide } from '../style-guides/store.ts';
import { activateTasks } from '../tasks/store.ts';
import { activateTopics } from '../topics/store.ts';
import { moveQuickstart, statusOf } from './move.ts';
import { styleGuideIdOf } from './step-counts.ts';

/** Kind of the jobs that complete quickstarts; their key is the id of a quickstart. */
export const COMPLETE_QUICKSTART = 'complete-quickstart';
/** Most rows that one command changes, so that it occupies the writer only briefly. */
const STEP = 500;
/** Bytes of documents after which a command approves no further one. */
const STEP_BYTES = 1024 * 1024;
/** Number of rows that a document counts as, because it is split into chunks. */
const DOCUMENT = 10;

interface ById {
  application: number;
  id: string;
  at: number;
}

/** Confirms the style scores. Throws `not_found`, and `conflict` outside STYLE_REVIEW. */
function confirmStyleScores(
  database: Database,
  { owner: { application, applicationId }, id, at }: { owner: Owner; id: string; at: number },
): { quickstartId: string; applicationId: string } {
  moveQuickstart(database, { application, id, to: 'COMPLETING', actor: 'service', at });
  enqueueJob(database, { application, kind: COMPLETE_QUICKSTART, key: id, dueAt: at, at });
  return { quickstartId: id, applicationId };
}

/**
 * Performs the next step of a completion, or all of it when there is little to do; returns whether it was the last
 * step. Steps do not depend on each other's results, so any of them may be the first after an interruption.
 */
function completeQuickstart(
  database: Database,
  { application, id, jobId, at }: ById & { jobId: number },
): boolean {
  if (statusOf(database, application, id) === 'COMPLETING') {
    const owner = readOwner(database, { application });
    if (!activateDrafts(database, { owner, id, at })) return false;
    approveOwnStyleGuide(database, { owner, id, at });
    moveQuickstart(database, { application, id, to: 'COMPLETE', actor: 'service', at });
  }
  finishJob(database, jobId);
  return true;
}

interface Step {
  owner: Owner;
  id: string;
  at: number;
}

/**
 * Activates drafts; returns true when no draft of the quickstart is left and all its definitions are linked to the
 * application.
 */
function activateDrafts(database: Database, { owner, id, at }: Step): boolean {
  const { application, applicationId } = owner;
  let room = STEP;
  for (const activate of [activateTopics, activateTasks, activateDefinitions]) {
    room -= activate(database, { application, quickstartId: id, at, limit: room });
    if (room === 0) return false;
  }
  const most = Math.floor(room / DOCUMENT);
  const documents = database.all<{ id: string; bytes: number }>(
    `SELECT document.id, octet_length(content) AS bytes
     FROM document JOIN document_version AS version
       ON version.application = document.application AND document_id = document.id AND version_number = current_version
     WHERE document.application = :application AND quickstart_id = :id AND document.status = 'DRAFT' LIMIT :most`,
    { application, id, most },
  );
  let left = STEP_BYTES;
  for (const document of documents) {
    if (left <= 0) return false;
    approveDocument(database, { owner, id: document.id, at });
    left -= document.bytes;
  }
  if (documents.length === most) return false;
  room -= documents.length * DOCUMENT;
  const unlinked = unlinkedDefinitions(database, application, id, room);
  if (unlinked.length === 0) return true;
  const link = { application, kind: 'application', targetIds: [applicationId] } as const;
  linkDefinitions(database, { ...link, definitionIds: unlinked, config: undefined, at });
  return unlinked.length < room;
}

/** Returns active definitions of the quickstart that are linked neither to a topic nor to the application. */
function unlinkedDefinitions(database: Database, application: number, id: string, limit: number): string[] {
  return database
    .all<{ id: string }>(
      `SELECT id FROM definition WHERE application = :application AND quickstart_id = :id AND status = 'ACTIVE' AND NOT EXISTS (
         SELECT 1 FROM definition_link AS link WHERE link.application = definition.application
           AND definition_id = definition.id AND kind IN ('topic', 'application')) LIMIT :limit`,
      { application, id, limit },
    )
    .map((row) => row.id);
}

/** Approves the style guide of the quickstart; if it has none, the newest that refers to the quickstart. */
function approveOwnStyleGuide(database: Database, { owner, id, at }: Step): void {
  const guideId = styleGuideIdOf(database, { application: owner.application, id });
  if (guideId !== null) approveStyleGuide(database, { owner, id: guideId, at });
}

function failQuickstart(
  database: Database,
  { application, id, jobId, reason, at }: ById & { jobId: number; reason: string },
): void {
  if (statusOf(database, application, id) === 'COMPLETING')
    moveQuickstart(database, { application, id, to: 'FAILED', actor: 'service', reason, at });
  finishJob(database, jobId);
}

export const quickstartCompletionCommands = { confirmStyleScores, completeQuickstart, failQuickstart };
