import type { Write } from '../../storage/calls.ts';
import { checkDefinitionLinks, linkDefinitionsToTargets, unlinkDefinitionsFromTargets } from './calls.ts';
import type { LinkBody } from './contract.ts';

/** Most links that one command writes, because each may replace a long config. */
const STEP_LINKS = 500;
/** Most characters of configs that one command writes, if it links to more than one target. */
const STEP_CHARACTERS = 2 * 1024 * 1024;

type OfApplication = { application: number };

/**
 * Links definitions to tasks and topics with several bounded commands. Throws `not_found` and `conflict` before
 * anything is linked. If the process ends in between, a retry of the same request links the rest.
 */
export async function linkInSteps(
  write: Write,
  links: LinkBody & OfApplication & { at: number },
): Promise<void> {
  const steps = stepsOf(links);
  if (steps.length > 1) await write(checkDefinitionLinks, links);
  for (const step of steps) await write(linkDefinitionsToTargets, { ...links, ...step });
}

/** Unlinks definitions in the same way. Throws `not_found` before anything is unlinked. */
export async function unlinkInSteps(
  write: Write,
  links: Omit<LinkBody, 'config'> & OfApplication,
): Promise<void> {
  const steps = stepsOf(links);
  // Unlinking no definitions from all targets checks that all of them exist.
  if (steps.length > 1) await write(unlinkDefinitionsFromTargets, { ...links, evalIds: [] });
  for (const step of steps) await write(unlinkDefinitionsFromTargets, { ...links, ...step });
}

type Targets = Pick<LinkBody, 'taskIds' | 'topicIds'>;

/** Splits the targets: each step has all definitions and some of the targets. */
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
