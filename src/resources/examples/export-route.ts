import { z } from 'zod';
import { queryInteger } from '../../contract/query.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { AppError } from '../../errors.ts';
import { createWithhold } from '../../traces/withheld/withhold.ts';
import { byteOrderMark, EXPORT_FORMATS, EXPORT_MEDIA_TYPES } from '../exports/export-format.ts';
import { EXPORT_HEADERS, type ExportDeps, streamExport } from '../exports/export-stream.ts';
import { exportExamples } from './calls.ts';
import { examplesFilter } from './contract.ts';
import type { ExamplePlace } from './export-store.ts';
import { exampleTable } from './export-table.ts';

const MAX_EXAMPLES = 100_000;
const PAGE = 500;

const exportQuery = examplesFilter.extend({
  format: z
    .enum(EXPORT_FORMATS)
    .default('csv')
    .describe(
      '`csv`, `parquet`, or `jsonl`: each line is an object. In columns, an `expected` that is not a text is in `expectedJson`.',
    ),
  bom: byteOrderMark,
  limit: queryInteger(1, MAX_EXAMPLES)
    .default(MAX_EXAMPLES)
    .describe('Largest number of examples to return.'),
});

export const exportExamplesRoute = ({
  read,
  now,
  ...deps
}: ExportDeps & Pick<StoreCalls, 'read' | 'now'>): Route =>
  route({
    method: 'GET',
    path: '/v0/tasks/{id}/examples/export',
    operationId: 'downloadExamples',
    group: 'Examples',
    summary: 'Export the examples of a task',
    description:
      'Streams the examples in the order of the task, as a file that the import reads: importing it again into the same task changes nothing. An example without a key has its id as the key. In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe, which the import removes. The connection breaks if the store fails in between, or if the API key is revoked. An application may have 2 exports at once. Rejected with 409 for a reviewer from whom an expected output is withheld.',
    scope: 'read',
    params: z.object({ id: uuid.describe('The id of the task.') }),
    query: exportQuery,
    response: 'stream',
    mediaTypes: EXPORT_MEDIA_TYPES,
    errors: ['not_found', 'conflict', 'rate_limited', 'unavailable'],
    responseHeaders: EXPORT_HEADERS,
    handler: (context) => {
      const { application } = context.principal;
      const withhold = createWithhold(read, now);
      const { format, bom, limit, ...filter } = context.query;
      const taskId = context.params.id;
      return streamExport(deps, context, {
        name: 'examples',
        format,
        bom,
        limit,
        pageSize: PAGE,
        table: exampleTable,
        readPage: async (after: ExamplePlace | null, size) => {
          const page = await read(exportExamples, { application, taskId, filter, after, limit: size });
          // A file without them would delete expected outputs when it is imported again.
          if ((await withhold(context.principal, page)) !== page)
            throw new AppError(
              'conflict',
              'You review traces of these examples in a blind queue; their expected outputs are withheld until they are settled',
            );
          return page;
        },
      });
    },
  });
