import type { ById } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import { evals } from '../../evaluate/eval-record.ts';
import { testToJudge } from '../../evaluate/example-expectation.ts';
import { loadSubject } from '../../evaluate/load-subject.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { shownTests } from '../../tests/record.ts';
import { decide } from './decide.ts';
import { loadDecision } from './decision-inputs.ts';
import { type EvidenceLine, linesOfInputs } from './evidence-format.ts';
import { runSets } from './record.ts';
import { snapshotOfRunSet } from './snapshot.ts';
import { getRunSet } from './store.ts';

const decisions = runSets.pick('id', 'decision');

/** Head of a bundle, and the tests that follow. */
export interface EvidenceHead {
  lines: EvidenceLine[];
  candidate: string[];
  baseline: string[];
}

/**
 * Returns everything of a bundle but its tests. Throws `not_found`, and `conflict` for a run set without a recorded
 * decision.
 */
function evidenceHead(database: Database, { owner, id, now }: ById & { now: number }): EvidenceHead {
  const { application } = owner;
  const set = decisions.find(database, application, id);
  if (!set) throw new AppError('not_found', 'run set not found');
  if (set.decision === null)
    throw new AppError(
      'conflict',
      `No decision on the run set was recorded; record one by POST /v0/run-sets/${id}/decision`,
    );
  const recorded = set.decision;
  const { rule } = recorded;
  const { inputs, baseline } = loadDecision(database, { owner, id, baseline: undefined, now, recorded });
  const decided = decide(inputs, rule);
  if (decided.outcome !== recorded.outcome || (decided.rate?.rate ?? null) !== recorded.rate)
    throw new AppError(
      'conflict',
      `Results have changed since the decision was recorded; record a new one by POST /v0/run-sets/${id}/decision`,
    );
  return {
    lines: [
      {
        type: 'runSet',
        runSet: getRunSet(database, { owner, id }),
        snapshot: snapshotOfRunSet(database, { application, runSetId: id }),
      },
      ...definitionsOf(database, application, id),
      ...linesOfInputs(inputs),
      { type: 'decision', rule, baselineId: baseline?.runSetId ?? null, decided },
    ],
    candidate: inputs.candidate.tests.map((test) => test.id),
    baseline: inputs.baseline?.tests.map((test) => test.id) ?? [],
  };
}

interface DefinitionRow {
  globalConfig: string;
  styleGuide: string | null;
}

/** Returns the definitions that a run set has fixed, with what they judge by. */
const definitionsOf = (database: Database, application: number, runSetId: string): EvidenceLine[] =>
  database
    .all<DefinitionRow>(
      `SELECT definition_id AS id, version, name, type, repeats, judge_version AS "judgeVersion",
         global_config AS "globalConfig", style_guide AS "styleGuide"
       FROM run_set_definition WHERE application = :application AND run_set_id = :runSetId ORDER BY definition_id`,
      { application, runSetId },
    )
    .map(({ globalConfig, styleGuide, ...definition }) => ({
      type: 'definition',
      definition: {
        ...definition,
        globalConfig: JSON.parse(globalConfig) as unknown,
        styleGuide: styleGuide === null ? null : (JSON.parse(styleGuide) as unknown),
      },
    }));

interface TestsOfBundle {
  application: number;
  side: 'candidate' | 'baseline';
  ids: readonly string[];
}

/** Returns the lines of tests: what was sent, what the app did, and every verdict with the prompts and answers of its judge. */
function evidenceTests(database: Database, { application, side, ids }: TestsOfBundle): EvidenceLine[] {
  const tests = shownTests.byIds(database, application, ids);
  const evalsOf = evalsOfTests(database, application, ids);
  return ids.map((testId) => {
    const { input, output, documents, turns, toolCalls } = loadSubject(database, {
      application,
      target: { testId },
      hasTurns: true,
    });
    const {
      expected = null,
      rubric = null,
      rubrics,
    } = testToJudge(database, { application, testId })?.example ?? {};
    return {
      type: 'test',
      side,
      test: {
        ...tests.get(testId),
        expected,
        rubric,
        ...(rubrics && { rubrics }),
        judged: { input, output, documents, turns, toolCalls },
        evals: evalsOf.get(testId) ?? [],
      },
    };
  });
}

interface CallRow {
  subjectId: string;
}

function evalsOfTests(
  database: Database,
  application: number,
  ids: readonly string[],
): Map<string, unknown[]> {
  const ofTests = { ids: JSON.stringify(ids) };
  const found = evals.all(
    database,
    application,
    `test_id IN ${valuesOf(':ids')} AND superseded = 0 ORDER BY test_id, definition_id`,
    ofTests,
  );
  const calls = database.all<CallRow>(
    `SELECT subject_id AS "subjectId", repeat, judge, judge_call.model, fingerprint, system, request, raw,
       input_tokens AS "inputTokens", output_tokens AS "outputTokens", cost
     FROM judge_call LEFT JOIN judge_prompt ON judge_prompt.application = judge_call.application
       AND judge_prompt.hash = judge_call.prompt_hash
     WHERE judge_call.application = :application AND subject_id IN ${valuesOf(':evalIds')} ORDER BY subject_id, repeat, judge_call.hash`,
    { application, evalIds: JSON.stringify(found.map((one) => one.id)) },
  );
  const callsOf = Map.groupBy(calls, ({ subjectId }) => subjectId);
  const lists = new Map<string, unknown[]>();
  for (const { traceId, testId, ...one } of found) {
    if (testId === null) continue;
    const trace = traceId && Buffer.from(traceId).toString('hex');
    const shown = { ...one, traceId: trace, calls: callsOf.get(one.id) ?? [] };
    lists.set(testId, [...(lists.get(testId) ?? []), shown]);
  }
  return lists;
}

export const evidenceQueries = { evidenceHead, evidenceTests };
