import { triedWork } from '../../evaluate/engine/work.ts';
import type { AppliedDefinition } from '../../evaluate/evaluator.ts';
import { evals } from '../../evaluate/eval-record.ts';
import type { Subject } from '../../evaluate/subject.ts';
import { isEvidenceDeleted } from '../../evaluate/deleted-evidence.ts';
import type { Database } from '../../storage/database.ts';
import { bytesOf, each } from '../../storage/dialect.ts';
import { configIssues, jsonSchemaIssues } from '../../evaluate/definition-config.ts';
import { invalid } from '../../contract/errors.ts';
import { traceUuid } from '../../traces/read.ts';
import { findStoredTrace } from '../../traces/load.ts';
import { definitions } from '../definitions/record.ts';
import { newestOf, opinionOf } from '../definitions/human-opinion.ts';
import { storedConfig } from '../definitions/shown-config.ts';
import { styleGuides } from '../style-guides/record.ts';
import { type TryCandidate, candidateTarget, tryCandidates } from './candidates.ts';
import type { TriedSubject, TryBody } from './contract.ts';

interface OfDefinition {
  application: number;
  /** Stored definition that the tried one would replace; null if there is none. */
  definitionId: string | null;
}

/** Content of a definition that is tried, ready to be applied. */
export type TriedDefinition = Omit<AppliedDefinition, 'definitionId' | 'expected'>;

/**
 * Returns a definition as it would be applied if it were stored. Throws `invalid`, and `not_found` for the style guide and the stored
 * definition.
 */
function triedDefinition(
  database: Database,
  {
    application,
    definitionId,
    given: { name, type, globalConfig = {}, styleGuideId, repeats },
  }: OfDefinition & { given: TryBody['definition'] },
): TriedDefinition {
  const stored = definitionId === null ? null : definitions.require(database, application, definitionId);
  const config = storedConfig(type, globalConfig);
  const issues = [...configIssues(type, config), ...jsonSchemaIssues(type, config)];
  if (type === 'STYLE' && styleGuideId === null)
    issues.push({ code: 'invalid_type', message: 'Required', path: ['styleGuideId'] });
  if (issues.length > 0)
    throw invalid(issues.map((issue) => ({ ...issue, path: ['definition', ...issue.path] })));
  const styleGuide = styleGuideId === null ? null : styleGuides.require(database, application, styleGuideId);
  return {
    version: stored?.version ?? 1,
    name: name ?? stored?.name ?? 'Try-out',
    type,
    config,
    styleGuide: styleGuide && styleGuide.content,
    repeats,
  };
}

/** A candidate with what it is judged by, and what is known about it. */
export interface LoadedCandidate {
  definition: AppliedDefinition;
  subject: Subject;
  shown: Pick<TriedSubject, 'testId' | 'traceId' | 'human' | 'stored'>;
}

/** Returns what a candidate is judged by; null if nothing can be judged, such as after the deletion of its trace. */
function loadCandidate(
  database: Database,
  {
    application,
    definitionId,
    definition,
    candidate,
  }: OfDefinition & { definition: AppliedDefinition; candidate: TryCandidate },
): LoadedCandidate | null {
  const work = triedWork(database, { application, target: candidateTarget(candidate), definition });
  if (work === null) return null;
  const [first] = candidate.traces;
  const trace =
    first === undefined ? null : findStoredTrace(database, application, [Buffer.from(first, 'hex')]);
  return {
    ...work,
    shown: {
      testId: candidate.testId,
      traceId: trace && traceUuid(trace),
      human: humanOf(database, { application, definitionId }, candidate),
      stored:
        definitionId === null ? null : storedVerdict(database, { application, definitionId }, candidate),
    },
  };
}

interface AnnotationRow {
  annotatorId: string;
  verdict: number;
  createdAt: number;
  critique: string | null;
  isOwn: number;
}

/** Most annotations of one candidate that are read, newest first. */
const MAX_ANNOTATIONS = 100;

function humanOf(
  database: Database,
  { application, definitionId }: OfDefinition,
  { traces }: TryCandidate,
): TriedSubject['human'] {
  const rows = database.all<AnnotationRow>(
    `SELECT annotator_id AS "annotatorId", CASE WHEN unsure = 1 THEN 0.5 ELSE verdict END AS verdict,
       created_at AS "createdAt", critique, CASE WHEN eval_definition_id IS NULL THEN 0 ELSE 1 END AS "isOwn"
     FROM ${each(':traces')} JOIN human_annotation ON application = :application AND trace_id = ${bytesOf('value')}
       AND (eval_definition_id IS NULL OR eval_definition_id = :definitionId) AND (verdict IS NOT NULL OR unsure = 1)
     ORDER BY created_at DESC, human_annotation.id DESC LIMIT ${MAX_ANNOTATIONS}`,
    { application, definitionId: definitionId ?? '', traces: JSON.stringify(traces) },
  );
  const own = rows.filter(({ isOwn }) => isOwn === 1);
  const counted = own.length > 0 ? own : rows;
  if (counted.length === 0) return null;
  const { human, people } = opinionOf(newestOf(counted.map((row) => ({ ...row, traceId: '' }))));
  const critique = counted.find((row) => row.critique !== null)?.critique ?? null;
  return { verdict: human === null ? 'UNDECIDED' : human ? 'PASS' : 'FAIL', people, critique };
}

const verdictRows = evals.pick('id', 'definitionVersion', 'passed', 'score');

function storedVerdict(
  database: Database,
  { application, definitionId }: OfDefinition & { definitionId: string },
  { testId, traces }: TryCandidate,
): TriedSubject['stored'] {
  const [subject, value] =
    testId === null
      ? ['trace_id = :value AND test_id IS NULL', Buffer.from(traces[0] as string, 'hex')]
      : ['test_id = :value', testId];
  const [found] = verdictRows.all(
    database,
    application,
    `${subject} AND definition_id = :definitionId AND superseded = 0 AND status = 'COMPLETED' LIMIT 1`,
    { definitionId, value },
  );
  if (!found) return null;
  const { definitionVersion, passed, score } = found;
  return { definitionVersion, passed, score };
}

/** Reports whether a candidate can still be sent to a judge: neither it nor its trace was deleted. */
const isTriable = (
  database: Database,
  { application, candidate }: { application: number; candidate: TryCandidate },
): boolean => !isEvidenceDeleted(database, { application, target: candidateTarget(candidate) });

export const tryQueries = { tryCandidates, triedDefinition, loadCandidate, isTriable };
