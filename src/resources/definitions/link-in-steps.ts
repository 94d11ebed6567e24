import type { Call } from '../../storage/operations.ts';
import type { LinkBody } from './contract.ts';
import type { definitionLinkCommands } from './link-store.ts';

/** Links that one command writes: each may replace a long config. */
const STEP_LINKS = 500;
/** Characters of configs that one command writes, if it links to more than one target. */
const STEP_CHARACTERS = 2 * 1024 * 1024;

type Write = Call<
  Pick<
    typeof definitionLinkCommands,
    'checkDefinitionLinks' | 'linkDefinitionsToTargets' | 'unlinkDefinitionsFromTargets'
  >
>;
type OfApplication = { application: number };

/**
 * Links definitions to tasks and topics by commands of bounded work. Throws `not_found` and `conflict` before anything is
 * linked. When the process ends in between, the same request sent again links the rest.
 */
export async function linkInSteps(
  write: Write,
  links: LinkBody & OfApplication & { at: number },
): Promise<void> {
  const steps = stepsOf(links);
  if (steps.length > 1) await write('checkDefinitionLinks', links);
  for (const step of steps) await write('linkDefinitionsToTargets', { ...links, ...step });
}

/** Unlinks likewise. Throws `not_found` before anything is unlinked. */
export async function unlinkInSteps(
  write: Write,
  links: Omit<LinkBody, 'config'> & OfApplication,
): Promise<void> {
  const steps = stepsOf(links);
  // Unlinking nothing from all of the targets looks up whether all of them exist.
  if (steps.length > 1) await write('unlinkDefinitionsFromTargets', { ...links, evalIds: [] });
  for (const step of steps) await write('unlinkDefinitionsFromTargets', { ...links, ...step });
}

type Targets = Pick<LinkBody, 'taskIds' | 'topicIds'>;

/** Splits the targets: each step is about all definitions and some of the targets. */
function stepsOf({ evalIds, taskIds, topicIds, config }: LinkBody): Targets[] {
  const characters = config === undefined ? 1 : JSON.stringify(config).length;
  const links = Math.min(STEP_LINKS, Math.floor(STEP_CHARACTERS / characters));
  const targets = Math.max(1, Math.floor(links / evalIds.length));
  if (taskIds.length + topicIds.length <= targets) return [{ taskIds, topicIds }];
  return [
    ...chunksOf(taskIds, targets).map((ids) => ({ taskIds: ids, topicIds: [] })),
    ...chunksOf(topicIds, targets).map((ids) => ({ taskIds: [], topicIds: ids })),
  ];
}

const chunksOf = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
