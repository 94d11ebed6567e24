import type { Database } from '../../storage/database.ts';
import { definitionsFor, snapshotDefinitions } from '../applicable.ts';
import { isEvidenceDeleted } from '../deleted-evidence.ts';
import type { AppliedDefinition } from '../evaluator.ts';
import { evals } from '../eval-record.ts';
import { type ExampleOfTest, rubricFor, testToJudge } from '../example-expectation.ts';
import { evaluatorOf } from '../evaluators.ts';
import { loadBaseline, loadCandidates } from '../load-baseline.ts';
import { loadSubject } from '../load-subject.ts';
import type { Subject } from '../subject.ts';
import type { Target } from '../target.ts';
import { inputHash } from './input-hash.ts';
import type { WantedEval } from './plan.ts';
import { currentEvals, isWaiting } from './rows.ts';

/** A waiting eval, and the data that its verdict depends on. */
export interface WaitingEval {
  id: string;
  definition: AppliedDefinition;
  inputHash: string;
}

/** Pending evals of a target, by how they are judged. */
export interface EvalWork {
  subject: Subject;
  /** Evals by rules. */
  deterministic: WaitingEval[];
  /** Evals that need a judge model or a scorer, each with a job of its own. */
  judged: WaitingEval[];
  /** Ids of evals whose definition or subject no longer exists. */
  notApplicable: string[];
  /** Ids of evals whose evidence, or that of their baseline, was deleted. */
  withoutEvidence: string[];
  /** Evals that have ended, or wait for a judge, and whose input has changed. */
  changed: WantedEval[];
}

interface OfTarget {
  application: number;
  target: Target;
}

/** Milliseconds after which no further target is read, so that reads of several stay short. */
const MAX_MS = 5;

/**
 * Returns the pending evals of targets in their order, null for those that have none; of the first targets only, at least of one,
 * when reading takes long.
 */
export function findEvalWork(
  database: Database,
  { application, targets }: { application: number; targets: readonly Target[] },
): (EvalWork | null)[] {
  const end = performance.now() + MAX_MS;
  const definitionsOf = definitionsByTask(database, application);
  const found: (EvalWork | null)[] = [];
  for (const target of targets) {
    found.push(workOf(database, { application, target, definitionsOf }));
    if (performance.now() >= end) break;
  }
  return found;
}

/** Subject that definitions apply to: tests of a task, as they are now or as a run set has fixed them; or traces without a test. */
type Judged = { taskId: string; snapshotId: string | null } | null;
type DefinitionsOf = (judged: Judged) => AppliedDefinition[];

/** Creates a function that reads the definitions of each task once. */
function definitionsByTask(database: Database, application: number): DefinitionsOf {
  const known = new Map<string, AppliedDefinition[]>();
  return (judged) => {
    const key = judged === null ? '' : `${judged.taskId} ${judged.snapshotId ?? ''}`;
    const definitions = known.get(key) ?? readDefinitions(database, application, judged);
    known.set(key, definitions);
    return definitions;
  };
}

function readDefinitions(database: Database, application: number, judged: Judged): AppliedDefinition[] {
  const { taskId = null, snapshotId = null } = judged ?? {};
  return taskId !== null && snapshotId !== null
    ? snapshotDefinitions(database, { application, taskId, snapshotId })
    : definitionsFor(database, { application, taskId });
}

function workOf(
  database: Database,
  { application, target, definitionsOf }: OfTarget & { definitionsOf: DefinitionsOf },
): EvalWork | null {
  const rows = currentEvals(database, application, target);
  if (rows.length === 0) return null;
  const definitions = appliedDefinitions(database, { application, target, definitionsOf });
  const isDeleted = isEvidenceDeleted(database, { application, target });
  const hasTurns = readTurns(definitions.values());
  const subject = loadSubject(database, { application, target, hasTurns });
  const work: EvalWork = {
    subject,
    deterministic: [],
    judged: [],
    notApplicable: [],
    withoutEvidence: [],
    changed: [],
  };
  for (const { id, definitionId, status, inputHash: judgedBy } of rows) {
    const definition = definitions.get(definitionId);
    const evaluator = definition && evaluatorOf(definition.type);
    if (!definition || !evaluator) {
      if (status === 'PENDING') work.notApplicable.push(id);
      continue;
    }
    if (isDeleted || definition.baseline?.isDeleted) {
      if (status === 'PENDING') work.withoutEvidence.push(id);
      continue;
    }
    const hash = inputHash(definition, evaluator, subject);
    if (status !== 'PENDING') {
      if (hash !== judgedBy) work.changed.push(wantedEval(definition, hash));
    } else
      (evaluator.judgedBy === 'rule' ? work.deterministic : work.judged).push({
        id,
        definition,
        inputHash: hash,
      });
  }
  return work;
}

/**
 * Returns the evals that a target should have by the definitions of today, with the hash of the input of each verdict; without `hashes`, all
 * hashes are ''. With `onlyOfTurns`, they are those of definitions that read the turns of a conversation.
 */
export function wantedEvals(
  database: Database,
  { application, target, hashes, onlyOfTurns = false }: OfTarget & { hashes: boolean; onlyOfTurns?: boolean },
): WantedEval[] {
  const applied = appliedDefinitions(database, { application, target, isToday: true });
  const definitions = [...applied.values()].filter((definition) => !onlyOfTurns || readTurns([definition]));
  if (definitions.length === 0) return [];
  if (isEvidenceDeleted(database, { application, target }))
    return definitions.map((one) => ({ ...wantedEval(one, ''), isWithoutEvidence: true }));
  if (!hashes) return definitions.map((definition) => wantedEval(definition, ''));
  const subject = loadSubject(database, { application, target, hasTurns: readTurns(definitions) });
  return definitions.map((definition) => {
    const evaluator = evaluatorOf(definition.type);
    return wantedEval(definition, evaluator ? inputHash(definition, evaluator, subject) : '');
  });
}

/**
 * Input of a judge or a scorer for one eval. `notApplicable`: its definition or subject no longer exists; `over`: the eval has
 * already ended; `deleted`: its evidence was deleted.
 */
export type JudgeWork =
  | { state: 'over' | 'unruled' | 'deleted' }
  | {
      state: 'waiting';
      definition: AppliedDefinition;
      subject: Subject;
      inputHash: string;
      runId: string | null;
      testId: string | null;
      /** Trace id in hex. */
      traceId: string | null;
    };

export function findJudgeWork(
  database: Database,
  { application, id }: { application: number; id: string },
): JudgeWork {
  const row = evals.find(database, application, id);
  if (!row || !isWaiting(row)) return { state: 'over' };
  const { testId, traceId, runId } = row;
  const target: Target = testId === null ? { traceId: traceId as Uint8Array } : { testId };
  const definition = appliedDefinitions(database, { application, target }).get(row.definitionId);
  const evaluator = definition && evaluatorOf(definition.type);
  if (!definition || !evaluator || row.superseded) return { state: 'unruled' };
  if (definition.baseline?.isDeleted || isEvidenceDeleted(database, { application, target }))
    return { state: 'deleted' };
  const subject = loadSubject(database, { application, target, hasTurns: readTurns([definition]) });
  return {
    state: 'waiting',
    definition,
    subject,
    runId,
    testId,
    traceId: traceId && Buffer.from(traceId).toString('hex'),
    inputHash: inputHash(definition, evaluator, subject),
  };
}

/** A definition that is tried on a target, and the data that its verdict depends on. */
export interface TriedWork {
  definition: AppliedDefinition;
  subject: Subject;
}

/**
 * Returns what a definition that may not be stored is applied to, with what the example and the link to the task expect; null if nothing
 * can be judged, because the test has failed or its evidence was deleted.
 */
export function triedWork(
  database: Database,
  { application, target, definition }: OfTarget & { definition: AppliedDefinition },
): TriedWork | null {
  const test =
    'testId' in target ? testToJudge(database, { application, testId: target.testId, isToday: true }) : null;
  if (('testId' in target && !test) || isEvidenceDeleted(database, { application, target })) return null;
  const linked = definitionsFor(database, { application, taskId: test?.taskId ?? null }).find(
    ({ definitionId }) => definitionId === definition.definitionId,
  );
  const expecting = { ...definition, expected: linked?.expected };
  const applied = test ? withExample(expecting, test.example) : expecting;
  return {
    definition: 'testId' in target ? withBaseline(database, application, target, applied) : applied,
    subject: loadSubject(database, { application, target, hasTurns: readTurns([applied]) }),
  };
}

/** Returns the applied definitions of a target by id. None apply to a test that has failed in the meantime. */
function appliedDefinitions(
  database: Database,
  {
    application,
    target,
    definitionsOf = definitionsByTask(database, application),
    isToday = false,
  }: OfTarget & { definitionsOf?: DefinitionsOf; isToday?: boolean },
): Map<string, AppliedDefinition> {
  const test =
    'testId' in target ? testToJudge(database, { application, testId: target.testId, isToday }) : null;
  if ('testId' in target && !test) return new Map();
  return new Map(
    definitionsOf(test).map((definition) => {
      // What an example expects precedes what links expect.
      const applied = test ? withExample(definition, test.example) : definition;
      return [
        definition.definitionId,
        'testId' in target ? withBaseline(database, application, target, applied) : applied,
      ];
    }),
  );
}

function withExample(definition: AppliedDefinition, example: ExampleOfTest): AppliedDefinition {
  const { expected, assertions } = example;
  const evaluator = evaluatorOf(definition.type);
  const rubric = rubricFor(definition, example);
  const readsRubric =
    rubric !== undefined &&
    evaluator &&
    evaluator.judgedBy !== 'rule' &&
    evaluator.readsRubric?.(definition) === true;
  // Definitions without a change stay the same objects, which messages contain once for all targets.
  const isChecked =
    assertions !== undefined &&
    definition.type === 'ASSERT' &&
    definition.config['exampleAssertions'] === true;
  if (expected === undefined && !readsRubric && !isChecked) return definition;
  return {
    ...definition,
    expected: expected ?? definition.expected,
    ...(readsRubric && { rubric }),
    ...(isChecked && { checks: assertions }),
  };
}

function withBaseline(
  database: Database,
  application: number,
  { testId }: { testId: string },
  definition: AppliedDefinition,
): AppliedDefinition {
  const evaluator = evaluatorOf(definition.type);
  const runs = evaluator?.judgedBy === 'model' ? evaluator.baselineRuns?.(definition) : undefined;
  if (!runs || runs.runIds.length === 0) return definition;
  const load = runs.isOfEach ? loadCandidates : loadBaseline;
  return { ...definition, baseline: load(database, { application, testId, runIds: runs.runIds }) };
}

const readTurns = (definitions: Iterable<AppliedDefinition>): boolean =>
  [...definitions].some((one) => evaluatorOf(one.type)?.reads(one).includes('turns') === true);

const wantedEval = (
  { definitionId, version, type, baseline }: AppliedDefinition,
  hash: string,
): WantedEval => {
  const isWithoutEvidence = baseline?.isDeleted === true;
  return {
    definitionId,
    definitionVersion: version,
    definitionType: type,
    inputHash: hash,
    ...(isWithoutEvidence && { isWithoutEvidence }),
  };
};
