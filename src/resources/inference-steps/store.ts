import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { Owner } from '../../traces/read.ts';
import { listRows } from '../list-rows.ts';
import type { InferenceStep, InferenceStepFields, InferenceStepsQuery } from './contract.ts';

interface ById {
  owner: Owner;
  id: string;
}

/** Throws `conflict` when another step has the name. */
function createInferenceStep(
  database: Database,
  { owner, id, fields, at }: ById & { fields: InferenceStepFields; at: number },
): InferenceStep {
  const { type, externalId, title, description } = fields;
  const added = database.run(
    `INSERT INTO inference_step (id, application, type, external_id, title, description, created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) ON CONFLICT (application, external_id) DO NOTHING`,
    id,
    owner.application,
    type,
    externalId,
    title,
    description,
    at,
  );
  if (added === 0) throw new AppError('conflict', 'There is an inference step with this externalId already');
  return getInferenceStep(database, { owner, id });
}

type Row = Pick<InferenceStep, 'id' | 'type' | 'externalId' | 'title' | 'description'> & {
  createdAt: number;
  modifiedAt: number;
};
const COLUMNS = `id, type, external_id AS externalId, title, description, created_at AS createdAt,
  modified_at AS modifiedAt`;
const ORDER = {
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
  title: 'title',
  type: 'type',
  externalId: 'external_id',
  id: 'id',
};

/** Throws `not_found`. */
function getInferenceStep(database: Database, { owner, id }: ById): InferenceStep {
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM inference_step WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'inference step not found');
  return inferenceStepOf(row, owner);
}

function listInferenceSteps(
  database: Database,
  { owner, query }: { owner: Owner; query: InferenceStepsQuery },
): { data: InferenceStep[]; pagination: Pagination } {
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'inference_step',
    columns: COLUMNS,
    where: [],
    order: ORDER,
    page: query,
  });
  return { data: rows.map((row) => inferenceStepOf(row, owner)), pagination };
}

const inferenceStepOf = (row: Row, { orgId, applicationId }: Owner): InferenceStep => ({
  ...row,
  orgId,
  applicationId,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
});

export const inferenceStepCommands = { createInferenceStep };
export const inferenceStepQueries = { getInferenceStep, listInferenceSteps };
