import { z } from 'zod';
import { AT, ID, page } from '../contract/example-values.ts';
import { ownerOf } from '../contract/owner.ts';
import { pagination } from '../contract/paging.ts';
import { type Route, route } from '../contract/route.ts';
import type { Read } from '../storage/calls.ts';
import { type AuditEntry, auditEntry, auditQuery } from './audit-contract.ts';
import { listAudit } from './calls.ts';

const exampleEntry: AuditEntry = {
  id: 4711,
  createdAt: AT,
  actor: { type: 'user', id: ID.user, name: 'Ada Lovelace' },
  action: 'updateTag',
  resourceId: ID.tag,
  requestId: '5f7a9c1e-3b5d-4f7a-8c1e-5d7f9a1c3e50',
  detail: null,
};

export const auditRoutes = ({ read }: { read: Read }): Route[] => [
  route({
    method: 'GET',
    path: '/v0/audit',
    operationId: 'listAuditEntries',
    group: 'Audit',
    summary: 'List changes by users and API keys',
    description:
      'One entry for each successful call that changes something, except ingest; without contents. Sign-ins and other changes of an account appear in each application of the user.',
    scope: 'admin',
    query: auditQuery,
    response: z.object({ data: z.array(auditEntry), pagination }),
    example: { response: page([exampleEntry]) },
    handler: ({ principal, query }) => read(listAudit, { owner: ownerOf(principal), query }),
  }),
];
