import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import { includesScope, type Principal } from '../../contract/scope.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { createView, deleteView, getView, listViews, updateView } from './calls.ts';
import { createViewBody, updateViewBody, view, viewsQuery } from './contract.ts';
import { exampleView } from './example.ts';

type ViewDeps = StoreCalls;

const SHARED = 'Shared views need the scope `write` (403).';

export function viewRoutes({ read, write, now }: ViewDeps): Route[] {
  const views = recordRoutes({
    path: '/v0/views',
    group: 'Views',
    record: view,
    example: exampleView,
    now,
    scope: 'annotate',
  });
  const { name, screen, filter, columns, sort } = exampleView;
  return [
    views.create({
      operationId: 'createView',
      summary: 'Save a view',
      description: `The name must be unique on its screen, among shared views and among those of the caller; 200 of each are allowed (409). ${SHARED}`,
      body: createViewBody,
      example: { body: { name, screen, filter, columns, sort } },
      errors: ['conflict'],
      handler: (args, principal) => write(createView, { ...args, ...callerOf(principal) }),
    }),
    views.list({
      operationId: 'listViews',
      summary: 'List views',
      description: 'Lists shared views, and those of the caller.',
      query: viewsQuery,
      handler: (args, { actor }) => read(listViews, { ...args, actor }),
    }),
    views.get({
      operationId: 'getView',
      summary: 'Get a view',
      handler: (args, { actor }) => read(getView, { ...args, actor }),
    }),
    views.update({
      operationId: 'updateView',
      summary: 'Update a view',
      description: `${SHARED} Only its creator can set \`isShared\` to false.`,
      body: updateViewBody,
      example: { name: 'Slow traces' },
      errors: ['conflict'],
      handler: (args, principal) => write(updateView, { ...args, ...callerOf(principal) }),
    }),
    views.remove({
      operationId: 'deleteView',
      summary: 'Delete a view',
      description: SHARED,
      handler: (args, principal) => write(deleteView, { ...args, ...callerOf(principal) }),
    }),
  ];
}

const callerOf = ({ actor, scopes }: Principal) => ({ actor, mayShare: includesScope(scopes, 'write') });
