import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { upload } from '../../contract/upload.ts';
import { ownerOf } from '../../contract/owner.ts';
import { uuid } from '../../contract/values.ts';
import type { CheckInputs } from '../../evaluate/check-inputs.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { getPromptSchema } from './calls.ts';
import { exampleImport } from './example.ts';
import { importFields, importReport } from './import-contract.ts';
import { EXAMPLE_EXTENSIONS, FILE_TYPES } from './import-rows.ts';
import { takeImport } from './take-import.ts';

interface ImportDeps extends StoreCalls {
  checkInputs: CheckInputs;
}

export const importRoute = ({ read, write, now, checkInputs }: ImportDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/tasks/{id}/examples/import',
    operationId: 'importExamples',
    group: 'Examples',
    summary: 'Import examples from a file',
    description:
      'Reads CSV, Excel (`.xlsx`), JSONL, JSON, YAML or Parquet, from a form or as the body itself: a table, or an export of promptfoo, LangSmith, Langfuse, Braintrust, MLflow, Phoenix, OpenAI, Inspect, DeepEval or Ragas. A file of promptfoo becomes definitions too: those that apply the checks and rubrics of its examples are linked to the task. Columns are assigned to fields by `mapping`, else by their names; the response shows both, and the columns that were not used. An example whose key the task already has is changed, so that the same file can be imported again. Invalid rows are reported by line, and valid rows are kept. The file must be UTF-8 and at most 32 MiB, JSON, Parquet and Excel at most 8 MiB, YAML at most 1 MiB; at most 100000 rows are read.',
    scope: 'write',
    params: z.object({ id: uuid.describe('The id of the task.') }),
    body: upload({ fields: importFields, extensions: EXAMPLE_EXTENSIONS, fileTypes: FILE_TYPES }),
    response: z.object({ data: importReport }),
    example: { response: { data: exampleImport } },
    errors: ['not_found', 'conflict', 'unavailable'],
    handler: async ({ principal, params: { id: taskId }, body }) => {
      const owner = ownerOf(principal);
      const { application } = owner;
      const schema = await read(getPromptSchema, { application, taskId });
      return { data: await takeImport(body, { owner, taskId, schema, checkInputs, write, now }) };
    },
  });
