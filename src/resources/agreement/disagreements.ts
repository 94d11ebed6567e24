import type { Database } from '../../storage/database.ts';
import { textOf } from '../../evaluate/subject.ts';
import { findStoredTrace } from '../../traces/load.ts';
import { OpenTrace } from '../../traces/open-trace.ts';
import { traceUuid } from '../../traces/read.ts';
import { differingTargets } from '../definitions/differing-targets.ts';
import { holdoutTraces, type SampleHalf } from '../definitions/holdout.ts';
import { definitions } from '../definitions/record.ts';
import { namesOf } from '../human-annotation-queue-items/reviews.ts';
import type { ShownDisagreement } from './contract.ts';

/** Disagreements that are read at most, before those that the caller may not see are left out. */
const MAX_READ = 200;
const SHOWN_CHARACTERS = 400;

interface OfDefinition {
  application: number;
  id: string;
}

/** A test or trace on which the current version of a definition and the majority of people differ. */
export interface FoundDisagreement {
  /** Id of the test, or of the trace in hex. */
  target: string;
  /** Trace in hex that people judged. */
  traceHex: string;
  half: SampleHalf;
}

/** Returns where the current version of a definition and people differ, the newest review first. Throws `not_found`. */
export function findDisagreements(
  database: Database,
  { application, id }: OfDefinition,
): FoundDisagreement[] {
  const holdout = holdoutTraces(database, application);
  return differingTargets(database, { application, definitionId: id })
    .flatMap(({ target, annotations }) => {
      const [newest] = annotations;
      if (newest === undefined) return [];
      const half: SampleHalf = annotations.some(({ traceId }) => holdout.has(traceId)) ? 'HOLDOUT' : 'DRAFT';
      return { target, traceHex: newest.traceId, half, at: newest.createdAt };
    })
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_READ)
    .map(({ at: _at, ...found }) => found);
}

interface Said {
  annotatorId: string;
  verdict: number;
  critique: string | null;
}

/** Returns a disagreement with its texts; null if its trace was deleted. */
export function showDisagreement(
  database: Database,
  { application, id, found }: OfDefinition & { found: FoundDisagreement },
): ShownDisagreement | null {
  const { target, traceHex, half } = found;
  const { version, isOverall } = definitions.require(database, application, id);
  const bytes = Buffer.from(traceHex, 'hex');
  const stored = findStoredTrace(database, application, [bytes]);
  const isTest = target.includes('-');
  const ofTarget = isTest ? 'test_id = :target' : 'trace_id = :target AND test_id IS NULL';
  const verdict = database.get<{ evalId: string; passed: number; reason: string | null }>(
    `SELECT id AS "evalId", passed, reason FROM eval
     WHERE application = :application AND ${ofTarget}
       AND definition_id = :id AND definition_version = :version AND status = 'COMPLETED' ORDER BY version DESC LIMIT 1`,
    { application, id, version, target: isTest ? target : Buffer.from(target, 'hex') },
  );
  if (!stored || !verdict) return null;
  const orOfTheTrace = isOverall ? 'OR eval_definition_id IS NULL' : '';
  const said = database.all<Said>(
    `SELECT annotator_id AS "annotatorId", CASE WHEN unsure = 1 THEN 0.5 ELSE verdict END AS verdict, critique
     FROM human_annotation WHERE application = :application AND trace_id = :trace AND (verdict IS NOT NULL OR unsure = 1)
       AND (eval_definition_id = :id ${orOfTheTrace})
     ORDER BY created_at DESC, id DESC LIMIT 20`,
    { application, id, trace: bytes },
  );
  const names = namesOf(
    database,
    said.map(({ annotatorId }) => annotatorId),
  );
  const trace = new OpenTrace(database, stored);
  const short = (text: string | null): string | null =>
    text?.slice(0, SHOWN_CHARACTERS).toWellFormed() ?? null;
  return {
    testId: isTest ? target : null,
    traceId: traceUuid(stored),
    evalId: verdict.evalId,
    half,
    input: short(textOf(trace.content('input'))),
    output: short(textOf(trace.content('output'))),
    passed: verdict.passed === 1,
    reason: verdict.reason,
    people: said.map(({ annotatorId, verdict: one, critique }) => ({
      name: names.get(annotatorId) ?? annotatorId,
      said: one === 1 ? 'PASS' : one === 0 ? 'FAIL' : 'UNSURE',
      critique,
    })),
  };
}
