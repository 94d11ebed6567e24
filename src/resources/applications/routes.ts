import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { ID, page } from '../../contract/example-values.ts';
import { IF_MATCH, versionsToChange } from '../../contract/etag.ts';
import { ownApplication } from '../../contract/owner.ts';
import { paginate, pagination } from '../../contract/paging.ts';
import { route, type Route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { createdKey } from '../api-keys/contract.ts';
import { createApplication, getApplication, updateApplication } from './calls.ts';
import {
  application,
  applicationsQuery,
  createApplicationBody,
  isWanted,
  updateApplicationBody,
  withDefaults,
} from './contract.ts';
import { exampleApplication } from './example.ts';
import type { CreateApplication } from './store.ts';

export interface ApplicationDeps extends StoreCalls {
  config: Pick<Config, 'newOrganisations' | 'organisationApplications'>;
  /** Called after an application was created. */
  onMembersChanged: () => void;
  generateKey: () => { text: string } & Pick<CreateApplication['key'], 'keyId' | 'hash'>;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: application });

/** Routes of applications. An API key sees only its own application, not others of its organisation. */
export const applicationRoutes = (deps: ApplicationDeps): Route[] => [
  createApplicationRoute(deps),
  listApplicationsRoute(deps),
  getApplicationRoute(deps),
  updateApplicationRoute(deps),
];

const createApplicationRoute = ({
  write,
  now,
  config,
  generateKey,
  onMembersChanged,
}: ApplicationDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/applications',
    operationId: 'createApplication',
    group: 'Applications',
    summary: 'Create an application and its first API key',
    scope: 'admin',
    body: createApplicationBody,
    response: z.object({ data: application, apiKey: createdKey }),
    example: {
      body: { title: 'Support bot', type: 'CHATBOT', environment: 'PROD' },
      response: {
        data: exampleApplication,
        apiKey: { id: ID.key, key: 'sk_4fQz81LmKx2P_…', name: 'First key' },
      },
    },
    status: 201,
    errors: ['conflict'],
    async handler({ principal, body: { newOrganisation, ...given } }) {
      if (newOrganisation && config.newOrganisations === 'no') throw notAllowed();
      const { text, keyId, hash } = generateKey();
      const key = { id: randomUUID(), keyId, hash, name: 'First key' };
      const data = await write(createApplication, {
        id: randomUUID(),
        orgId: newOrganisation ? randomUUID() : principal.organisation,
        fields: withDefaults(given),
        at: now(),
        key,
        most: config.organisationApplications,
        userId: principal.actor.type === 'user' ? principal.actor.id : null,
      });
      onMembersChanged();
      return { data, apiKey: { id: key.id, key: text, name: key.name } };
    },
  });

const notAllowed = (): AppError =>
  new AppError(
    'forbidden',
    'New organisations are created by the operator: `touchstone applications create --new-organisation`, or by this call where TOUCHSTONE_NEW_ORGANISATIONS is `yes`',
  );

const listApplicationsRoute = ({ read }: ApplicationDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/applications',
    operationId: 'listApplications',
    group: 'Applications',
    summary: 'List applications',
    description: 'An API key sees only its own application.',
    scope: 'admin',
    query: applicationsQuery,
    response: z.object({ data: z.array(application), pagination }),
    example: { response: page([exampleApplication]) },
    async handler({ principal, query }) {
      const own = await read(getApplication, { application: principal.application });
      const found = isWanted(own, query) ? [own] : [];
      return { data: found.slice(query.skip), pagination: paginate(query, found.length) };
    },
  });

const getApplicationRoute = ({ read }: ApplicationDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/applications/{id}',
    operationId: 'getApplication',
    group: 'Applications',
    summary: 'Get the application',
    scope: 'admin',
    params: byId,
    response: one,
    example: { response: { data: exampleApplication } },
    errors: ['not_found'],
    async handler({ principal, params }) {
      return { data: await read(getApplication, { application: ownApplication(principal, params.id) }) };
    },
  });

const updateApplicationRoute = ({ write, now }: ApplicationDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/applications/{id}',
    operationId: 'updateApplication',
    group: 'Applications',
    summary: 'Update the application',
    description: 'Absent fields keep their values.',
    scope: 'admin',
    params: byId,
    body: updateApplicationBody,
    readOnlyFields: Object.keys(application.shape),
    response: one,
    example: {
      body: { description: 'Answers questions of customers' },
      response: { data: exampleApplication },
    },
    errors: ['not_found', 'precondition_failed'],
    requestHeaders: IF_MATCH,
    async handler({ principal, params, body, headers }) {
      const versions = versionsToChange(headers);
      const args = { application: ownApplication(principal, params.id), fields: body, at: now(), versions };
      return { data: await write(updateApplication, args) };
    },
  });
