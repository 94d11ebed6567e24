import { useAction, useApi } from '../api/use-api.ts';

const MAX_LISTED = 100;

/** A variant of an experiment that tests nothing but one task. */
export interface VariantOfTask {
  id: string;
  experimentId: string;
  title: string;
}

/** Returns the variants of the newest experiment about a task alone. */
export function useVariantsOfTask(taskId: string): readonly VariantOfTask[] {
  const experiments = useApi('/v0/experiments', { query: { limit: MAX_LISTED } });
  const experiment = experiments.data?.data.find(
    ({ taskIds }) => taskIds.length === 1 && taskIds[0] === taskId,
  );
  const variants = useApi(
    '/v0/experiments/{id}/variants',
    { path: { id: experiment?.id ?? '' }, query: { limit: MAX_LISTED } },
    { enabled: experiment !== undefined },
  );
  if (!experiment) return [];
  return (variants.data?.data ?? []).map(({ id, title }) => ({
    id,
    experimentId: experiment.id,
    title: `${experiment.title}: ${title}`,
  }));
}

/** Returns the call that runs a variant. */
export const useRunVariant = () =>
  useAction(['/v0'], (api, { id, experimentId, repeat }: VariantOfTask & { repeat: number }) =>
    api.POST('/v0/experiments/{id}/variants/{variantId}/run', {
      params: { path: { id: experimentId, variantId: id } },
      body: { repeat },
    }),
  );
