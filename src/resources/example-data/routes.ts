import { z } from 'zod';
import { ownApplication, ownerOf, type Owner } from '../../contract/owner.ts';
import { route, type Route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/operations.ts';
import { EXAMPLE_STEPS, type ExampleData, exampleData } from './contract.ts';
import { exampleOfExampleData } from './example.ts';
import type { MadeRecords, StoredExampleData } from './record.ts';
import type { exampleDataCommands, exampleDataQueries } from './store.ts';

/** Makes and removes example data in the background. */
export interface ExampleDataService {
  /** Chooses what to make, without making it. Throws `unavailable` while others are being loaded. */
  plan: () => { made: MadeRecords; load: (owner: Owner) => void };
  remove: (owner: Owner, made: MadeRecords) => void;
  /** Reports whether example data of the application is being loaded or removed by this process. */
  isBusy: (application: number) => boolean;
}

export interface ExampleDataDeps extends StoreCalls<typeof exampleDataQueries, typeof exampleDataCommands> {
  service: ExampleDataService;
}

const PATH = '/v0/applications/{id}/example-data';
const byId = z.object({ id: uuid });
const one = z.object({ data: exampleData });
const example = { response: { data: exampleOfExampleData } };

export const exampleDataRoutes = (deps: ExampleDataDeps): Route[] => [
  getRoute(deps),
  loadRoute(deps),
  removeRoute(deps),
];

const getRoute = (deps: ExampleDataDeps): Route =>
  route({
    method: 'GET',
    path: PATH,
    operationId: 'getExampleData',
    group: 'Applications',
    summary: 'Get the state of the example data',
    scope: 'read',
    params: byId,
    response: one,
    example,
    errors: ['not_found'],
    handler: async ({ scope, params }) => ({ data: await stateOf(deps, ownApplication(scope, params.id)) }),
  });

const loadRoute = (deps: ExampleDataDeps): Route =>
  route({
    method: 'POST',
    path: PATH,
    operationId: 'loadExampleData',
    group: 'Applications',
    summary: 'Load example data',
    description:
      'Fills an empty application with about 300 traces of a web shop, tests with verdicts, an experiment and an annotation queue, in the background: about half a minute. An application with data of its own is rejected with 409. No request leaves the server, and no judge model is called.',
    scope: 'admin',
    params: byId,
    response: one,
    example,
    status: 202,
    errors: ['not_found', 'conflict', 'unavailable'],
    async handler({ scope, params }) {
      const application = ownApplication(scope, params.id);
      const { made, load } = deps.service.plan();
      await deps.write('beginExampleData', { application, made, at: deps.now() });
      load(ownerOf(scope));
      return { data: await stateOf(deps, application) };
    },
  });

const removeRoute = (deps: ExampleDataDeps): Route =>
  route({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeExampleData',
    group: 'Applications',
    summary: 'Remove the example data',
    description:
      'Deletes exactly the records that loading made, in the background, with the tests of its tasks and the verdicts of its definitions. Records of your own remain, and so do the counts of the ledger.',
    scope: 'admin',
    params: byId,
    response: one,
    example: { response: { data: { ...exampleOfExampleData, status: 'REMOVING', step: null } } },
    status: 202,
    errors: ['not_found', 'conflict'],
    async handler({ scope, params }) {
      const application = ownApplication(scope, params.id);
      if (deps.service.isBusy(application))
        throw new AppError('conflict', 'The example data is still being loaded or removed');
      const made = await deps.write('beginExampleRemoval', { application, at: deps.now() });
      deps.service.remove(ownerOf(scope), made);
      return { data: await stateOf(deps, application) };
    },
  });

async function stateOf({ read, service }: ExampleDataDeps, application: number): Promise<ExampleData> {
  const stored = await read('getExampleData', { application });
  return stored ? shown(stored, service.isBusy(application)) : NONE;
}

const NONE: ExampleData = {
  status: 'NONE',
  step: null,
  stepsDone: 0,
  steps: EXAMPLE_STEPS.length,
  failure: null,
  startedAt: null,
};
const INTERRUPTED = 'The server stopped before it was done.';

/** Work that no process does any more has failed. */
function shown({ createdAt, ...stored }: StoredExampleData, isBusy: boolean): ExampleData {
  const { status, step, stepsDone, failure } = stored;
  const isCut = !isBusy && (status === 'LOADING' || status === 'REMOVING');
  return {
    ...(isCut ? { status: 'FAILED', step: null, failure: INTERRUPTED } : { status, step, failure }),
    stepsDone,
    steps: EXAMPLE_STEPS.length,
    startedAt: createdAt,
  };
}
