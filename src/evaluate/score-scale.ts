import { definitionConfigs } from './definition-config.ts';

/** Types whose judge rates from 1 to 5. */
export const RATED_TYPES = ['NATURALNESS', 'STYLE', 'TOXICITY'] as const;
const rated: ReadonlySet<string> = new Set(RATED_TYPES);

/** Lowest and highest score of a definition. */
export interface ScoreScale {
  min: number;
  max: number;
}

/** Returns the scale of the scores of a definition: its own one, that of its type, or from 0 to 1. */
export function scoreScale(type: string, config: unknown): ScoreScale {
  if (rated.has(type)) return { min: 1, max: 5 };
  const own = type === 'CUSTOM' ? definitionConfigs.CUSTOM.safeParse(config).data?.scale : undefined;
  return own ? { min: own.min, max: own.max } : { min: 0, max: 1 };
}
