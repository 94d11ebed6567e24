import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import type { InferenceStep, InferenceStepFields, InferenceStepsQuery } from './contract.ts';
import { inferenceSteps } from './record.ts';

/** Creates a step; throws `conflict` when another step has the name. */
function createInferenceStep(
  database: Database,
  { owner, id, fields, at }: ById & { fields: InferenceStepFields; at: number },
): InferenceStep {
  const isNew = inferenceSteps.tryInsert(database, { application: owner.application, at }, { ...fields, id });
  if (!isNew) throw new AppError('conflict', 'An inference step with this externalId already exists');
  return inferenceSteps.get(database, { owner, id });
}

const listInferenceSteps = (
  database: Database,
  { owner, query: page }: { owner: Owner; query: InferenceStepsQuery },
): ListOf<InferenceStep> => inferenceSteps.list(database, owner, { where: [], page });

export const inferenceStepCommands = { createInferenceStep };
export const inferenceStepQueries = { getInferenceStep: inferenceSteps.get, listInferenceSteps };
