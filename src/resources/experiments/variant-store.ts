import { invalid } from '../../contract/errors.ts';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import type { TestHooks } from '../../tests/store.ts';
import { descendantsOf, mergedConfigs } from './config.ts';
import { endVariantOf } from './end-variant.ts';
import { moveExperiment } from './move.ts';
import { endStart, runVariant, startVariantTests } from './run-variant.ts';
import { VARIANT_BY_HAND, type VariantStatus, variantAfter } from './states.ts';
import { namesOfSteps } from './steps.ts';
import { experiments } from './record.ts';
import type { NewVariant, Variant, VariantChanges, VariantFields } from './variant-contract.ts';
import {
  getVariant,
  listVariants,
  type VariantById,
  type VariantNode,
  variantNodes,
} from './variant-read.ts';
import { variants } from './variant-record.ts';

/** Most variants of an experiment, because the settings of one are computed from those of all. */
const MAX_VARIANTS = 200;
const MAX_CONFIG_CHARACTERS = 200_000;

/** Creates a variant. Throws `not_found` for the experiment or the parent, `conflict` and `invalid`. */
function createVariant(
  database: Database,
  { owner, experimentId, id, fields, at }: VariantById & { fields: NewVariant; at: number },
): Variant {
  const { application } = owner;
  const experiment = experiments.get(database, { owner, id: experimentId });
  const others = variantNodes(database, application, experimentId);
  checkParent(others, id, fields.parentId);
  checkConfig([...others, { id, hasRun: false, ...fields }], id);
  checkSteps(database, application, experiment.inferenceStepIds, fields);
  const event = fields.parentId === null ? 'baselineAdded' : 'variantAdded';
  moveExperiment(database, { application, experiment, event, at });
  if (others.length >= MAX_VARIANTS)
    throw new AppError('conflict', `The experiment already has ${MAX_VARIANTS} variants, the most allowed`);
  variants.insert(database, { application, at }, { ...fields, id, experimentId });
  return getVariant(database, { owner, experimentId, id });
}

/** Updates a variant. Throws `not_found` for the experiment, the variant or the parent, `conflict` and `invalid`. */
function updateVariant(
  database: Database,
  {
    owner,
    experimentId,
    id,
    given: { status, ...given },
    at,
  }: VariantById & { given: VariantChanges; at: number },
): Variant {
  const { application } = owner;
  const before = getVariant(database, { owner, experimentId, id });
  const after = applyPatch<VariantFields>(before, given);
  if (hasOtherConfig(before, after)) {
    const { inferenceStepIds } = experiments.get(database, { owner, id: experimentId });
    const nodes = variantNodes(database, application, experimentId);
    rejectLocked(nodes, id);
    checkParent(nodes, id, after.parentId);
    checkConfig(
      nodes.map((node) => (node.id === id ? { ...node, ...after } : node)),
      id,
    );
    checkSteps(database, application, inferenceStepIds, after);
  }
  const changes = { ...given, status: statusByHand(before, status ?? before.status) };
  variants.update(database, { application, id, at }, changes);
  return getVariant(database, { owner, experimentId, id });
}

const hasOtherConfig = (before: VariantFields, after: VariantFields): boolean =>
  before.parentId !== after.parentId ||
  canonicalJson(before.configPatch) !== canonicalJson(after.configPatch);

/** Rejects changes to settings that a run has used, because its results depend on them. */
function rejectLocked(nodes: readonly VariantNode[], id: string): void {
  const ran = descendantsOf(nodes, id).find(({ hasRun }) => hasRun);
  if (!ran) return;
  const which = ran.id === id ? 'the variant' : `variant ${ran.id}, which descends from it,`;
  throw new AppError('conflict', `configPatch and parentId cannot be changed because ${which} has run`);
}

/** Checks that exactly one variant has no parent, and that none is its own ancestor. */
function checkParent(nodes: readonly VariantNode[], id: string, parentId: string | null): void {
  const baseline = nodes.find((node) => node.parentId === null);
  if (parentId === null) {
    if (baseline && baseline.id !== id)
      throw wrongParent('is required because the experiment already has a baseline');
    return;
  }
  if (baseline?.id === id) throw wrongParent('must be null because the variant is the baseline');
  if (!nodes.some((node) => node.id === parentId))
    throw new AppError('not_found', 'parent variant not found');
  if (descendantsOf(nodes, id).some((node) => node.id === parentId))
    throw wrongParent('must not be the variant itself or one of its descendants');
}

const wrongParent = (message: string): AppError => invalid([{ code: 'custom', message, path: ['parentId'] }]);

/** Checks that the settings of a variant and of its descendants fit into a payload. */
function checkConfig(nodes: readonly VariantNode[], id: string): void {
  const configs = mergedConfigs(nodes);
  const isTooLong = descendantsOf(nodes, id).some(
    (node) => JSON.stringify(configs.get(node.id)).length > MAX_CONFIG_CHARACTERS,
  );
  if (!isTooLong) return;
  const message = `with the settings of all parents must have at most ${MAX_CONFIG_CHARACTERS} characters as JSON`;
  throw invalid([{ code: 'too_big', message, path: ['configPatch'] }]);
}

function checkSteps(
  database: Database,
  application: number,
  inferenceStepIds: readonly string[],
  { configPatch }: VariantFields,
): void {
  const names = namesOfSteps(database, application, inferenceStepIds);
  if (names === null) return;
  const message = 'must be the externalId of an inference step of the experiment';
  const issues = Object.keys(configPatch)
    .filter((step) => !names.has(step))
    .map((step) => ({ code: 'custom', message, path: ['configPatch', step] }));
  if (issues.length > 0) throw invalid(issues);
}

/** Returns the status that a user may set; throws `conflict`. */
function statusByHand({ status: before, parentId }: Variant, wanted: VariantStatus): VariantStatus {
  if (wanted === before) return before;
  const event = VARIANT_BY_HAND[wanted];
  if (!event) throw new AppError('conflict', `${wanted} follows from the tests and cannot be set`);
  if (event === 'rejected' && parentId === null)
    throw new AppError(
      'conflict',
      'The baseline cannot be rejected because the other variants are compared with it',
    );
  return variantAfter(before, event);
}

export const variantCommands = {
  createVariant,
  updateVariant,
  runVariant,
  startVariantTests,
  endVariantStart: endStart,
};
export const variantQueries = { getVariant, listVariants };
export const variantHooks = { onTestEnded: [endVariantOf] } satisfies Partial<TestHooks>;
