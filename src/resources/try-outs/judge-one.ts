import { randomUUID } from 'node:crypto';
import { costOf, type EvalRecord, latencyOf, tokensOf } from '../../evaluate/engine/eval-costs.ts';
import type { AppliedDefinition, Verdict } from '../../evaluate/evaluator.ts';
import type { EvaluatePool } from '../../evaluate/evaluate-pool.ts';
import { evaluatorOf } from '../../evaluate/evaluators.ts';
import type { Judges } from '../../evaluate/judge/judges.ts';
import type { Score } from '../../evaluate/scorer/scorers.ts';
import { type Subject, textOf } from '../../evaluate/subject.ts';
import type { TriedSubject } from './contract.ts';

export interface TryJudgeDeps {
  judges: Judges;
  score: Score;
  judgeByRules: EvaluatePool['evaluateAll'];
}

interface ToJudge {
  application: number;
  definition: AppliedDefinition;
  subject: Subject;
  testId: string | null;
  /** Trace id in hex. */
  traceId: string | null;
}

interface JudgeOptions {
  signal: AbortSignal;
  /** Called before each request. It is not sent if this rejects. */
  beforeSend: () => Promise<void>;
}

/**
 * Judges one subject by a definition that is not stored. Only what it cost is stored: requests that belong to no eval are kept without
 * their texts.
 */
export async function judgeOnce(
  deps: TryJudgeDeps,
  of: ToJudge,
  options: JudgeOptions,
): Promise<NonNullable<TriedSubject['now']>> {
  const { verdict, record, latencyMs } = await verdictOf(deps, of, options);
  const tokens = record && tokensOf(record);
  return {
    status: verdict.status,
    passed: verdict.status === 'COMPLETED' ? verdict.passed : null,
    score: verdict.status === 'COMPLETED' ? verdict.score : null,
    reason: verdict.reason,
    quotes: quotesOf(verdict.reason ?? '', textOf(of.subject.output) ?? ''),
    inputTokens: tokens?.inputTokens ?? 0,
    outputTokens: tokens?.outputTokens ?? 0,
    cost: record ? costOf(record) : 0,
    latencyMs,
  };
}

interface Judged {
  verdict: Verdict;
  record: EvalRecord | null;
  latencyMs: number;
}

async function verdictOf(
  { judges, score, judgeByRules }: TryJudgeDeps,
  { application, definition, subject, testId, traceId }: ToJudge,
  { signal, beforeSend }: JudgeOptions,
): Promise<Judged> {
  const evaluator = evaluatorOf(definition.type);
  if (evaluator === undefined)
    return {
      verdict: { status: 'SKIPPED', reason: `nothing judges by the type ${definition.type}` },
      record: null,
      latencyMs: 0,
    };
  if (evaluator.judgedBy === 'rule') {
    const since = performance.now();
    // An id of its own: rules that time out here must not suspend the stored definition.
    const tried = { ...definition, definitionId: randomUUID() };
    const [verdict] = await judgeByRules({ application, subject, definitions: [tried] });
    return { verdict: verdict as Verdict, record: null, latencyMs: Math.round(performance.now() - since) };
  }
  const judged =
    evaluator.judgedBy === 'model'
      ? await judges.evaluate(
          definition,
          subject,
          evaluator,
          { application, subjectId: randomUUID(), runId: null },
          { signal, beforeSend },
        )
      : await score(
          {
            definition,
            subject,
            evaluator,
            scored: { application, evalId: randomUUID(), testId, traceId },
          },
          { signal, beforeSend },
        );
  return { ...judged, latencyMs: judged.record ? latencyOf(judged.record) : 0 };
}

/** Texts in quotation marks, in those of most languages. */
const QUOTED = /["“„«‘']([^"“”„«»‘’\n]{3,300})["”“»’']/gu;
const MAX_QUOTES = 10;

/** Returns the words of an output that a reason quotes literally. */
export function quotesOf(reason: string, output: string): { text: string; start: number; end: number }[] {
  const found = new Map<string, number>();
  for (const [, text = ''] of reason.slice(0, 10_000).matchAll(QUOTED)) {
    const start = output.indexOf(text);
    if (start >= 0 && found.size < MAX_QUOTES) found.set(text, start);
  }
  return [...found].map(([text, start]) => ({ text, start, end: start + text.length }));
}
