import type { ById } from '../../contract/owner.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import type { Database } from '../../storage/database.ts';
import { bytesOf, each, valuesOf } from '../../storage/dialect.ts';
import { blockingDefinitions } from '../../tests/outcome/verified-judges.ts';
import { type AllWithheld, findAllWithheld } from '../../traces/withheld/store.ts';
import { definitions } from '../definitions/record.ts';
import { type Evidence, GONE_SAMPLE, PASSED_TESTS } from './evidence-contract.ts';
import { findIssueId } from './find.ts';
import { issues } from './record.ts';
import { newestSampledQueue, randomSample } from './sample.ts';

/** Most examples of an issue that are looked at. */
const MAX_EXAMPLES = 200;
/** Newest tests of an example that are looked at. */
const MAX_TESTS = 30;
const MAX_TASKS = 20;

/**
 * Returns the evidence that an issue is resolved, of each kind, without what shows verdicts on traces that the caller reviews blind.
 * Throws `not_found`. Call it in a reader only.
 */
function readEvidence(
  database: Database,
  { owner: { application }, id, seenBy }: ById & { seenBy: SeenBy },
): Evidence[] {
  const issueId = findIssueId(database, application, id);
  const issue = issues.require(database, application, issueId);
  const [has, passes] = ofExamples(database, application, issue.number);
  const gone = ofSample(database, application, issue);
  const hidden = findAllWithheld(database, { application, ...seenBy });
  return [
    ...ofEvaluator(database, application, issue.evalDefinitionId),
    has,
    hidden && hasHiddenTest(database, application, issue.number, hidden) ? withheldForm(passes) : passes,
    hidden && hasHiddenTrace(database, application, gone.queueId, hidden) ? withheldForm(gone) : gone,
  ];
}

const withheldForm = (evidence: Evidence): Evidence => ({
  ...evidence,
  isMet: false,
  have: 0,
  message: 'Withheld from you while you review some of its traces in a blind queue.',
  withheld: true,
});

/** Reports whether a test of the regression examples is withheld. */
const hasHiddenTest = (
  database: Database,
  application: number,
  number: number,
  { testIds, isComplete }: AllWithheld,
): boolean =>
  !isComplete ||
  database.get(
    `SELECT 1 FROM test JOIN example ON example.application = test.application AND example.id = test.example_id
     WHERE test.application = :application AND test.id IN ${valuesOf(':testIds')} AND example.split = :split LIMIT 1`,
    { application, testIds: JSON.stringify(testIds), split: `issue-${number}` },
  ) !== undefined;

/** Reports whether a trace of a random sample is withheld. */
const hasHiddenTrace = (
  database: Database,
  application: number,
  queueId: string | null,
  { traceIds, isComplete }: AllWithheld,
): boolean =>
  queueId !== null &&
  (!isComplete ||
    database.get(
      `SELECT 1 FROM annotation_queue_item AS item WHERE item.application = :application AND item.queue_id = :queueId
         AND item.completed_at IS NOT NULL AND item.trace_id IN (SELECT ${bytesOf('value')} FROM ${each(':traces')}) LIMIT 1`,
      { application, queueId, traces: JSON.stringify(traceIds) },
    ) !== undefined);

const NONE = { evalDefinitionId: null, taskIds: [], queueId: null };

function ofEvaluator(
  database: Database,
  application: number,
  evalDefinitionId: string | null,
): [Evidence, Evidence] {
  const found =
    evalDefinitionId === null
      ? undefined
      : definitions.pick('id', 'name', 'type').find(database, application, evalDefinitionId);
  const isVerified = found !== undefined && blockingDefinitions(database, application)(found);
  const of = { ...NONE, need: 1, evalDefinitionId: found?.id ?? null };
  return [
    {
      ...of,
      kind: 'EVALUATOR',
      isMet: found !== undefined,
      have: Number(found !== undefined),
      message: found
        ? `The evaluator ${JSON.stringify(found.name)} detects the problem.`
        : 'No evaluator detects the problem.',
    },
    {
      ...of,
      kind: 'VERIFIED',
      isMet: isVerified,
      have: Number(isVerified),
      message: isVerified
        ? 'The evaluator is verified, or needs no judge model.'
        : 'The evaluator is not verified by reviewers.',
    },
  ];
}

interface ExampleRow {
  id: string;
  taskId: string;
}

function ofExamples(database: Database, application: number, number: number): [Evidence, Evidence] {
  const split = `issue-${number}`;
  const examples = database.all<ExampleRow>(
    `SELECT id, task_id AS "taskId" FROM example
     WHERE application = :application AND split = :split AND status = 'ACTIVE' ORDER BY id LIMIT ${MAX_EXAMPLES}`,
    { application, split },
  );
  const passed = examples.filter(({ id }) => hasPassed(database, application, id)).length;
  const taskIds = [...new Set(examples.map(({ taskId }) => taskId))].slice(0, MAX_TASKS);
  const of = { ...NONE, taskIds };
  return [
    {
      ...of,
      kind: 'EXAMPLES',
      isMet: examples.length > 0,
      have: examples.length,
      need: 1,
      message:
        examples.length > 0
          ? `The subset ${split} has ${examples.length} examples.`
          : `No example is in the subset ${split}.`,
    },
    {
      ...of,
      kind: 'EXAMPLES_PASS',
      isMet: examples.length > 0 && passed === examples.length,
      have: passed,
      need: Math.max(1, examples.length),
      message: `${passed} of ${examples.length} examples passed in their last ${PASSED_TESTS} runs.`,
    },
  ];
}

/** Reports whether all tests of an example passed in its last runs. Tests that were not run count nowhere. */
function hasPassed(database: Database, application: number, exampleId: string): boolean {
  const tests = database.all<{ runId: string; outcome: string | null }>(
    `SELECT run_id AS "runId", (SELECT outcome FROM test_result WHERE test_result.application = test.application
       AND test_id = test.id) AS outcome
     FROM test WHERE application = :application AND example_id = :exampleId AND status IN ('COMPLETED', 'FAILED')
     ORDER BY created_at DESC, id DESC LIMIT ${MAX_TESTS}`,
    { application, exampleId },
  );
  const runs = Map.groupBy(
    tests.filter(({ outcome }) => outcome !== 'NOT_RUN'),
    ({ runId }) => runId,
  );
  const last = [...runs.values()].slice(0, PASSED_TESTS);
  return last.length === PASSED_TESTS && last.flat().every(({ outcome }) => outcome === 'PASSED');
}

function ofSample(
  database: Database,
  application: number,
  { id, topicId, sampleQueueId }: { id: string; topicId: string | null; sampleQueueId: string | null },
): Evidence {
  const queueId = sampleQueueId ?? newestSampledQueue(database, { application, topicId });
  const of = { ...NONE, kind: 'GONE', need: GONE_SAMPLE, queueId } as const;
  if (queueId === null)
    return { ...of, isMet: false, have: 0, message: 'No traces were drawn at random for review.' };
  const sample = randomSample(database, { application, queueId, issueIds: [id], limit: GONE_SAMPLE });
  const seen = sample.counts.get(id) ?? 0;
  if (!sample.isUniform)
    return {
      ...of,
      isMet: false,
      have: 0,
      message: 'The queue drew some traces with preference, so its sample gives no rate.',
    };
  return {
    ...of,
    isMet: sample.of >= GONE_SAMPLE && seen === 0,
    have: sample.of - seen,
    message: `${seen} of the newest ${sample.of} random traces show the problem; 0 of ${GONE_SAMPLE} are required.`,
  };
}

export const issueEvidenceQueries = { readEvidence };
