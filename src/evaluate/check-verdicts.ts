import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../storage/database.ts';
import { DETERMINISTIC_EVALUATORS } from './evaluators/deterministic.ts';
import { inputHash } from './engine/input-hash.ts';
import { EvaluateThread } from './evaluate-thread.ts';
import type { AppliedDefinition, Verdict } from './evaluator.ts';
import { evals } from './eval-record.ts';
import { loadSubject } from './load-subject.ts';
import type { Subject } from './subject.ts';
import type { Target } from './target.ts';

/** Milliseconds that one definition may take. */
const LIMIT_MS = 2_000;

/** A stored verdict with all that it was made of. */
export interface CheckedEval {
  id: string;
  subject: Subject;
  definition: AppliedDefinition;
  passed: boolean;
  score: number;
}

/**
 * Returns a page of current verdicts that need no model, as they were made: with the definition of that time, and only
 * if the evidence is still the same. `last` is the last id of the page, null if there is none.
 */
export function judgedEvals(
  database: Database,
  { after, limit }: { after: string; limit: number },
): { last: string | null; read: number; judged: CheckedEval[] } {
  const page = database.all<{ application: number; id: string }>(
    `SELECT application, id FROM eval
     WHERE id > :after AND superseded = 0 AND status = 'COMPLETED' AND definition_type IN ('OUTPUT_MATCH', 'ASSERT')
     ORDER BY id LIMIT :limit`,
    { after, limit },
  );
  const judged = page.flatMap(({ application, id }) => withEvidence(database, application, id) ?? []);
  return { last: page.at(-1)?.id ?? null, read: page.length, judged };
}

function withEvidence(database: Database, application: number, id: string): CheckedEval | null {
  const row = evals.find(database, application, id);
  const evaluator = row && DETERMINISTIC_EVALUATORS.get(row.definitionType);
  const stored = row?.judge?.['definition'] as Partial<AppliedDefinition> | undefined;
  if (!row || !evaluator || !stored || row.passed === null || row.score === null) return null;
  const target: Target =
    row.testId === null ? { traceId: row.traceId as Uint8Array } : { testId: row.testId };
  const subject = loadSubject(database, { application, target });
  const definition: AppliedDefinition = {
    definitionId: row.definitionId,
    version: row.definitionVersion,
    name: stored.name ?? '',
    type: row.definitionType,
    config: stored.config ?? {},
    expected: stored.expected,
    rubric: stored.rubric,
    checks: stored.checks,
    styleGuide: stored.styleGuide ?? null,
    repeats: stored.repeats ?? 1,
  };
  if (inputHash(definition, evaluator, subject) !== row.inputHash) return null;
  return { id, subject, definition, passed: row.passed, score: row.score };
}

/** Judges again, in a thread that ends a definition which takes too long. */
export class VerdictCheck {
  private readonly thread = new EvaluateThread(LIMIT_MS);

  /** Returns what differs from the stored verdict; null if nothing does, or if the definition takes too long. */
  async differenceOf({ subject, definition, passed, score }: CheckedEval): Promise<string | null> {
    let verdict: Verdict | null = null;
    const { outcome } = await this.thread.judge(
      { subject, definitions: [definition], sliceMs: LIMIT_MS },
      (made) => {
        verdict = made;
      },
    );
    const made = verdict as Verdict | null;
    if (outcome !== 'done' || made === null) return null;
    const again =
      made.status === 'COMPLETED' ? { passed: made.passed, score: made.score } : { status: made.status };
    return isDeepStrictEqual(again, { passed, score })
      ? null
      : `its verdict is ${JSON.stringify({ passed, score })}, and the stored evidence makes ${JSON.stringify(again)}`;
  }

  async close(): Promise<void> {
    await this.thread.close();
  }
}
