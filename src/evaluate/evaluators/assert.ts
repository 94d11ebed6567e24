import { isObject } from '../../contract/is-object.ts';
import { definitionConfigs } from '../definition-config.ts';
import type { AppliedDefinition, Aspect, DeterministicEvaluator } from '../evaluator.ts';
import { judge, reasonOf } from './assertions/judge.ts';
import { CHECKS, type ConfiguredCheck } from './assertions/schema.ts';

/**
 * `ASSERT`: checks the output and the trace. `results` is `{ assertions }`, for each `{ type, not, weight, score,
 * passed, reason }`, and for a set also its `assertions`. With `exampleAssertions`, those of the example follow. A check fails when the subject lacks the data it reads.
 */
export const assert: DeterministicEvaluator = {
  judgedBy: 'rule',
  reads({ config, checks }) {
    const parsed = parse(config);
    if (!parsed.success) return [];
    const ofExample = checks === undefined ? [] : (CHECKS.safeParse(checks).data ?? []);
    return [...new Set([...parsed.data.assertions, ...ofExample].flatMap(readsOf))];
  },
  evaluate(subject, { config, checks }, onExampleChecks) {
    const parsed = parse(config);
    if (!parsed.success) throw parsed.error;
    const { assertions, threshold } = parsed.data;
    const all = checks === undefined ? assertions : [...assertions, ...CHECKS.parse(checks)];
    if (!all.some(({ weight }) => weight > 0))
      return { status: 'SKIPPED', reason: 'neither the definition nor the example has a check' };
    const { score, passed, isDecided, results } = judge(subject, { assertions: all, threshold }, (index) => {
      if (index === assertions.length) onExampleChecks?.();
    });
    if (!isDecided) return { status: 'SKIPPED', reason: reasonOf(results) };
    return {
      status: 'COMPLETED',
      score,
      normalised: score,
      passed,
      results: { assertions: results },
      reason: reasonOf(results),
    };
  },
};

/** Reports whether a definition, or the example, has a check of the language, valid or not. */
export const checksLanguage = ({ type, config, checks }: AppliedDefinition): boolean =>
  type === 'ASSERT' && [config['assertions'], checks].some(hasLanguage);

const hasLanguage = (checks: unknown): boolean =>
  Array.isArray(checks) &&
  checks.some(
    (check: unknown) => isObject(check) && (check['type'] === 'language' || hasLanguage(check['assertions'])),
  );

type Parsed = ReturnType<typeof definitionConfigs.ASSERT.safeParse>;
/** Configs that were parsed: parsing takes longer than most checks, and one config is applied to many subjects. */
const parsedConfigs = new WeakMap<object, Parsed>();

function parse(config: object): Parsed {
  let parsed = parsedConfigs.get(config);
  if (parsed === undefined) {
    parsed = definitionConfigs.ASSERT.safeParse(config);
    parsedConfigs.set(config, parsed);
  }
  return parsed;
}

const readsOf = (check: ConfiguredCheck): readonly Aspect[] =>
  check.type === 'assert-set' ? check.assertions.flatMap(readsOf) : check.assertion.reads;
