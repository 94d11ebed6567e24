import { definitionConfigs } from '../../evaluate/definition-config.ts';
import { scoreScale } from '../../evaluate/score-scale.ts';
import { AppError, type Issue } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { definitions } from '../definitions/record.ts';
import type { Judgement } from './judgement.ts';

/** Scale on which people and judges score, and the lowest score that passes. */
interface Scale {
  min: number;
  max: number;
  passThreshold: number;
}

/** Lowest rating that passes, on the scale of the types whose judge rates. */
const RATING_PASSES = 3.5;

const scored = definitions.pick('type', 'globalConfig');

/** Returns the scale of a definition; null if it has none. */
function scaleOf(type: string, config: unknown): Scale | null {
  if (type === 'STYLE' || type === 'NATURALNESS')
    return { ...scoreScale(type, config), passThreshold: RATING_PASSES };
  if (type !== 'CUSTOM') return null;
  const parsed = definitionConfigs.CUSTOM.safeParse(config);
  const { scale, passThreshold } = parsed.data ?? {};
  return scale && passThreshold !== undefined ? { min: scale.min, max: scale.max, passThreshold } : null;
}

/**
 * Returns a judgement with the verdict that follows from its score, and the faults of the score. Throws `not_found` for the
 * definition.
 */
export function withVerdict<J extends Judgement>(
  database: Database,
  { application, evalDefinitionId }: { application: number; evalDefinitionId: string | null },
  judgement: J,
): { judgement: J; issues: Issue[] } {
  const fault = (message: string, path: string) => ({
    judgement,
    issues: [{ code: 'custom', message, path: [path] }],
  });
  const { score, verdict } = judgement;
  const definition =
    evalDefinitionId === null ? undefined : scored.find(database, application, evalDefinitionId);
  if (evalDefinitionId !== null && !definition)
    throw new AppError('not_found', 'evaluation definition not found');
  if (score === null) return { judgement, issues: [] };
  const scale = definition ? scaleOf(definition.type, definition.globalConfig) : null;
  if (scale === null)
    return fault('is allowed only with an `evalDefinitionId` whose definition has a scale', 'score');
  if (score < scale.min || score > scale.max)
    return fault(`must be between ${scale.min} and ${scale.max}; got ${score}`, 'score');
  const passes = score >= scale.passThreshold;
  if (verdict !== null && verdict !== passes)
    return fault(`must be ${passes} with the score ${score}: ${scale.passThreshold} passes`, 'verdict');
  return { judgement: { ...judgement, verdict: passes }, issues: [] };
}
