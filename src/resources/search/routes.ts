import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { type Route, route } from '../../contract/route.ts';
import type { Read } from '../../storage/calls.ts';
import { searchRecords } from './calls.ts';
import { foundRecord, searchQuery } from './contract.ts';

export const searchRoutes = ({ read }: { read: Read }): Route[] => [
  route({
    method: 'GET',
    path: '/v0/search',
    operationId: 'searchRecords',
    group: 'Views',
    summary: 'Find records by name',
    description:
      'Finds tasks, evaluators, runs, experiments, issues, topics and documents whose names have words that begin as those of `q`. Names that begin with `q` come first, then the newest. Archived records and merged issues are left out.',
    scope: 'read',
    query: searchQuery,
    response: z.object({ data: z.array(foundRecord) }),
    example: {
      response: {
        data: [
          {
            kind: 'task',
            id: ID.task,
            title: 'How long is the return window?',
            detail: 'task',
            href: `/tasks/${ID.task}`,
          },
        ],
      },
    },
    handler: async ({ principal: { application }, query }) => ({
      data: await read(searchRecords, { application, query }),
    }),
  }),
];
