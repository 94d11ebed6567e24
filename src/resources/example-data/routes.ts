import { z } from 'zod';
import { ownApplication, ownerOf, type Owner } from '../../contract/owner.ts';
import { route, type Route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { type ExampleData, exampleData } from './contract.ts';
import { exampleOfExampleData } from './example.ts';

/** Makes and removes example data in the background. */
export interface ExampleDataService {
  stateOf: (application: number) => Promise<ExampleData>;
  /**
   * Begins to load example data. Rejects with `conflict` while it is being loaded or removed, and unless the application is
   * empty; with `unavailable` while that of too many others is being loaded.
   */
  load: (owner: Owner) => Promise<void>;
  /** Begins to remove example data. Rejects with `conflict` while it is being loaded or removed, or with `not_found`. */
  remove: (owner: Owner) => Promise<void>;
}

const PATH = '/v0/applications/{id}/example-data';
const byId = z.object({ id: uuid });
const one = z.object({ data: exampleData });
const example = { response: { data: exampleOfExampleData } };

export const exampleDataRoutes = ({ exampleData: service }: { exampleData: ExampleDataService }): Route[] => [
  getRoute(service),
  loadRoute(service),
  removeRoute(service),
];

const getRoute = (service: ExampleDataService): Route =>
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
    handler: async ({ principal, params }) => ({
      data: await service.stateOf(ownApplication(principal, params.id)),
    }),
  });

const loadRoute = (service: ExampleDataService): Route =>
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
    async handler({ principal, params }) {
      const application = ownApplication(principal, params.id);
      await service.load(ownerOf(principal));
      return { data: await service.stateOf(application) };
    },
  });

const removeRoute = (service: ExampleDataService): Route =>
  route({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeExampleData',
    group: 'Applications',
    summary: 'Remove the example data',
    description:
      'Deletes exactly the records that loading made, in the background, with the tests of its tasks and the verdicts of its definitions. Records of your own remain, with the example records that hold them: traces that you annotated, queued or copied to a task; tasks with such traces, with examples that you added, or in an experiment of yours; and the topics and definitions that these and your own tasks need. The counts of the ledger remain too.',
    scope: 'admin',
    params: byId,
    response: one,
    example: { response: { data: { ...exampleOfExampleData, status: 'REMOVING', step: null } } },
    status: 202,
    errors: ['not_found', 'conflict'],
    async handler({ principal, params }) {
      const application = ownApplication(principal, params.id);
      await service.remove(ownerOf(principal));
      return { data: await service.stateOf(application) };
    },
  });
