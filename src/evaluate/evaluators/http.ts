import { z } from 'zod';
import { definitionConfigs } from '../definition-config.ts';
import type { AppliedDefinition, Aspect, ScoredEvaluator } from '../evaluator.ts';

const PASS_THRESHOLD = 0.5;
const SENT: readonly Aspect[] = ['input', 'output', 'toolCalls', 'documents'];
const MAX_REASON = 10_000;

const reason = z.string().max(MAX_REASON);
const answer = z
  .looseObject({
    // Libraries of scorers return a boolean where there are two scores only, and null for what they leave out.
    score: z
      .union(
        [z.number().min(0).max(1), z.boolean().transform(Number)],
        'must be a number from 0 to 1, or true or false',
      )
      .nullish(),
    passed: z.boolean().nullish(),
    reason: reason.nullish(),
    results: z.record(z.string(), z.unknown()).nullish(),
    skip: reason.min(1).nullish(),
    cost: z.number().min(0).max(1_000_000).nullish(),
  })
  .refine(
    ({ score, skip }) => ((score ?? null) === null) !== ((skip ?? null) === null),
    'must have either `score` or `skip`',
  );

/**
 * `HTTP`: an endpoint of the user returns the score, 0 to 1. Passes if the endpoint says so, else from
 * `globalConfig.passThreshold`. `results` are those of the endpoint.
 */
export const http: ScoredEvaluator = {
  judgedBy: 'scorer',
  reads: sentParts,
  readsRubric: () => true,
  question: (subject, definition) => {
    const { definitionId: id, name, version, config, expected = null, rubric = null } = definition;
    const { parameters = {} } = definitionConfigs.HTTP.parse(config);
    const parts = Object.fromEntries(sentParts(definition).map((aspect) => [aspect, subject[aspect]]));
    const { isTruncated } = subject;
    const sent = { id, name, version };
    return { type: 'score', definition: sent, parameters, expected, rubric, ...parts, isTruncated };
  },
  decide: (given, { config }) => {
    const {
      score,
      passed,
      reason: why = null,
      results,
      skip,
      cost = null,
    } = answer.parse(given, { reportInput: true });
    if (score === undefined || score === null)
      return { verdict: { status: 'SKIPPED', reason: skip ?? '' }, cost };
    const { passThreshold = PASS_THRESHOLD } = definitionConfigs.HTTP.parse(config);
    return {
      verdict: {
        status: 'COMPLETED',
        score,
        normalised: score,
        passed: passed ?? score >= passThreshold,
        results: results ?? {},
        reason: why,
      },
      cost,
    };
  },
};

/** Returns the parts to send. A definition that another version stored may have a configuration that is not valid. */
function sentParts({ config }: AppliedDefinition): readonly Aspect[] {
  const parsed = definitionConfigs.HTTP.safeParse(config);
  return (parsed.success ? parsed.data.send : undefined) ?? SENT;
}
