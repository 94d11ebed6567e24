import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AT, dates, ID, LATER, page } from '../contract/example-values.ts';
import { pagination, paging } from '../contract/paging.ts';
import { type Route, route, type RouteContext } from '../contract/route.ts';
import { uuid } from '../contract/values.ts';
import type { Config } from '../config.ts';
import type { StoreCalls } from '../storage/calls.ts';
import {
  createInvitation,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
  updateMember,
} from './calls.ts';
import {
  createdInvitation,
  createInvitationBody,
  type Invitation,
  invitation,
  type Member,
  member,
  updateMemberBody,
} from './member-contract.ts';
import { newToken } from './tokens.ts';
import { ownApplication } from '../contract/owner.ts';

export interface MemberDeps extends StoreCalls {
  config: Pick<Config, 'publicUrl'>;
  /** Called after the permissions of someone have changed. */
  onMembersChanged: () => void;
}

const exampleMember: Member = {
  id: ID.user,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'editor',
  ...dates,
};
const exampleInvitation: Invitation = {
  id: ID.invitation,
  email: 'grace@example.com',
  role: 'annotator',
  createdAt: AT,
  expiresAt: LATER,
};

const ofApplication = z.object({ id: uuid });
const oneMember = z.object({ id: uuid, userId: uuid });
const oneInvitation = z.object({ id: uuid, invitationId: uuid });

export const memberRoutes = (deps: MemberDeps): Route[] => [
  listMembersRoute(deps),
  updateMemberRoute(deps),
  removeMemberRoute(deps),
  createInvitationRoute(deps),
  listInvitationsRoute(deps),
  revokeInvitationRoute(deps),
];

const listMembersRoute = ({ read }: MemberDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/applications/{id}/members',
    operationId: 'listMembers',
    group: 'Members',
    summary: 'List the members of the application',
    description: 'Ordered by email address.',
    scope: 'admin',
    params: ofApplication,
    query: z.object({ skip: paging(['email']).skip, limit: paging(['email']).limit }),
    response: z.object({ data: z.array(member), pagination }),
    example: { response: page([exampleMember]) },
    errors: ['not_found'],
    async handler({ principal, params, query }) {
      return read(listMembers, { application: ownApplication(principal, params.id), page: query });
    },
  });

const updateMemberRoute = ({ write, now, onMembersChanged }: MemberDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/applications/{id}/members/{userId}',
    operationId: 'updateMember',
    group: 'Members',
    summary: 'Change the role of a member',
    description: 'The last admin stays admin (409).',
    scope: 'admin',
    params: oneMember,
    body: updateMemberBody,
    response: z.object({ data: member }),
    example: { body: { role: 'editor' }, response: { data: exampleMember } },
    errors: ['not_found', 'conflict'],
    async handler({ principal, params: { id, userId }, body: { role } }) {
      const application = ownApplication(principal, id);
      const data = await write(updateMember, { application, userId, role, at: now() });
      onMembersChanged();
      return { data };
    },
  });

const removeMemberRoute = ({ write, onMembersChanged }: MemberDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/applications/{id}/members/{userId}',
    operationId: 'removeMember',
    group: 'Members',
    summary: 'Remove a member from the application',
    description: 'The account stays, and with it other memberships. The last admin cannot be removed (409).',
    scope: 'admin',
    params: oneMember,
    response: null,
    errors: ['not_found', 'conflict'],
    async handler({ principal, params: { id, userId } }) {
      await write(removeMember, { application: ownApplication(principal, id), userId });
      onMembersChanged();
      return undefined;
    },
  });

const createInvitationRoute = ({ write, now, config: { publicUrl } }: MemberDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/applications/{id}/invitations',
    operationId: 'createInvitation',
    group: 'Members',
    summary: 'Invite a person to the application',
    description:
      'Returns a link, which works once and for 7 days; it is not sent to anyone. Earlier invitations to the same address are void.',
    scope: 'admin',
    params: ofApplication,
    body: createInvitationBody,
    response: createdInvitation,
    example: {
      body: { email: 'grace@example.com', role: 'annotator' },
      response: { data: exampleInvitation, link: 'https://touchstone.example.com/#invitation=…' },
    },
    status: 201,
    errors: ['not_found', 'conflict'],
    async handler({ principal, params: { id }, body, headers }) {
      const { text, hash } = newToken();
      const data = await write(createInvitation, {
        application: ownApplication(principal, id),
        id: randomUUID(),
        tokenHash: hash,
        ...body,
        at: now(),
      });
      return { data, link: `${publicUrl ?? origin(headers)}/#invitation=${text}` };
    },
  });

const listInvitationsRoute = ({ read, now }: MemberDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/applications/{id}/invitations',
    operationId: 'listInvitations',
    group: 'Members',
    summary: 'List the open invitations to the application',
    description: 'At most 100, newest first; without their links.',
    scope: 'admin',
    params: ofApplication,
    response: z.object({ data: z.array(invitation) }),
    example: { response: { data: [exampleInvitation] } },
    errors: ['not_found'],
    async handler({ principal, params: { id } }) {
      const application = ownApplication(principal, id);
      return { data: await read(listInvitations, { application, at: now() }) };
    },
  });

const revokeInvitationRoute = ({ write }: MemberDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/applications/{id}/invitations/{invitationId}',
    operationId: 'revokeInvitation',
    group: 'Members',
    summary: 'Revoke an invitation',
    scope: 'admin',
    params: oneInvitation,
    response: null,
    errors: ['not_found'],
    async handler({ principal, params: { id, invitationId } }) {
      const application = ownApplication(principal, id);
      await write(revokeInvitation, { application, id: invitationId });
      return undefined;
    },
  });

const origin = ({ host }: RouteContext<unknown, unknown, unknown, null>['headers']): string =>
  `http://${typeof host === 'string' ? host : 'localhost'}`;
