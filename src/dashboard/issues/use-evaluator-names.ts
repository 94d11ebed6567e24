import type { EvaluationDefinition } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Evaluators whose names are loaded at once. */
const MAX_EVALUATORS = 100;
const USUAL: EvaluationDefinition['status'][] = ['DRAFT', 'ACTIVE'];

/** Returns the names of the evaluators of the application by id. */
export function useEvaluatorNames(): ReadonlyMap<string, string> {
  const query = { limit: MAX_EVALUATORS, orderBy: 'name' as const, orderDir: 'asc' as const };
  const list = useApi('/v0/definitions', { query: { ...query, definitionStatus: USUAL } });
  return new Map((list.data?.data ?? []).map(({ id, name }) => [id, name]));
}
