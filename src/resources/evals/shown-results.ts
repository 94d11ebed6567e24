/** Details of scores in the shapes that clients parse, beside those that the evaluators store. */
import type { evals } from '../../evaluate/eval-record.ts';
import type { FieldsOf } from '../../storage/record.ts';

type Results = Readonly<Record<string, unknown>>;
type Judged = Pick<FieldsOf<typeof evals>, 'definitionType' | 'score' | 'passed' | 'reason' | 'results'>;

/** Adds the fields by which clients recognise the type of an eval. Evals without results have none. */
export function shownResults({
  definitionType,
  score,
  passed,
  reason,
  results,
}: Judged): Record<string, unknown> | null {
  if (results === null) return null;
  const scored = score ?? 0;
  const without = { analysis: reason ?? '', score: scored };
  switch (definitionType) {
    case 'NATURALNESS':
      return { ...results, ...(naturalness(results) ?? without) };
    case 'STYLE':
      return {
        ...results,
        analysis: analysisOf(results['sections'], 'heading') ?? reason ?? '',
        score: scored,
      };
    case 'RECALL':
      return { ...results, ...(recall(results) ?? without) };
    case 'CUSTOM':
      return { ...results, ...(custom(results, passed === true) ?? { ...without, ...rationaleOf(results) }) };
    case 'OUTPUT_MATCH':
      return { ...outputMatch(results), reason: reason ?? '', score: scored };
    default:
      return { ...results };
  }
}

interface Rated {
  score: number;
  rationale: string;
}

function naturalness({ criteria }: Results): Results | null {
  if (criteria === undefined) return null;
  const rated = Object.entries(criteria as Readonly<Record<string, Rated>>);
  return {
    analysis: analysisOf(
      rated.map(([name, { rationale }]) => ({ name, rationale })),
      'name',
    ),
    ...Object.fromEntries(rated.map(([name, { score }]) => [name, score])),
  };
}

/** Returns the rationales of several ratings as one text; null without any. */
function analysisOf(rated: unknown, name: string): string | null {
  if (!Array.isArray(rated)) return null;
  return rated.map((one: Record<string, string>) => `${one[name]}: ${one['rationale']}`).join('\n');
}

/** Names of the measures of `RECALL`, by those of our results. */
const MEASURES = {
  answerRelevancy: 'AnswerRelevancy',
  contextPrecision: 'ContextPrecision',
  contextRelevancy: 'ContextRelevancy',
  faithfulness: 'Faithfulness',
} as const;

function recall({ measures }: Results): Results | null {
  if (measures === undefined) return null;
  const values = measures as Readonly<Record<string, number | null>>;
  return Object.fromEntries(
    Object.entries(MEASURES).map(([ours, theirs]) => {
      const score = values[ours] ?? null;
      return [theirs, score === null ? { score: 0, error: 'The measure has no value.' } : { score }];
    }),
  );
}

const rationaleOf = ({ rationale }: Results): Results =>
  typeof rationale === 'string' ? { analysis: rationale } : {};

/** Returns the answer yes or no to a criterion; null for a rating on a scale. */
function custom({ verdict, rationale }: Results, passed: boolean): Results | null {
  if (verdict === undefined) return null;
  return {
    score: Number(passed),
    metadata: { rationale: rationale ?? '', choice: verdict === 'yes' ? 'Y' : 'N' },
  };
}

/**
 * Returns the result of a comparison. Results of lists that an earlier version stored have counts as `found` and
 * `expected`, and missing items as texts.
 */
function outputMatch({ found, expected, missing, ...results }: Results): Results {
  if (typeof found === 'string') return { ...results, found, got: found, expected };
  if (typeof expected !== 'number') return { ...results, ...(missing !== undefined && { missing }) };
  const values = Map.groupBy((missing ?? []) as readonly string[], (value) => value);
  return {
    ...results,
    foundCount: found,
    expectedCount: expected,
    missing: [...values].map(([value, lacking]) => ({ value, have: 0, need: lacking.length })),
  };
}
