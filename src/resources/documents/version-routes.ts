import { randomUUID } from 'node:crypto';
import { page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { queryInteger } from '../../contract/query.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  activateDocumentVersion,
  createDocumentVersion,
  getDocumentVersion,
  listDocumentVersions,
  updateDocumentVersion,
} from './calls.ts';
import {
  createVersionBody,
  documentHead,
  updateVersionBody,
  type Version,
  version,
  versionEntry,
  versionsQuery,
} from './contract.ts';
import { exampleDocumentHead, exampleText, exampleDocumentVersion, exampleVersionEntry } from './example.ts';

type VersionDeps = StoreCalls;

const byId = z.object({ id: uuid });
const byNumber = byId.extend({
  n: queryInteger(1, Number.MAX_SAFE_INTEGER).describe('The version number.'),
});
const one = z.object({
  data: version,
  document: documentHead.describe('The document, without its texts.'),
  version: version.describe('The same as `data`.'),
});
const shown = (of: Version) => ({ data: of, document: exampleDocumentHead, version: of });
const exampleDraft: Version = { ...exampleDocumentVersion, status: 'DRAFT' };

export const versionRoutes = (deps: VersionDeps): Route[] => [
  listDocumentVersionsRoute(deps),
  createDocumentVersionRoute(deps),
  getDocumentVersionRoute(deps),
  updateDocumentVersionRoute(deps),
  activateDocumentVersionRoute(deps),
];

const listDocumentVersionsRoute = ({ read }: VersionDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/documents/{id}/versions',
    operationId: 'listDocumentVersions',
    group: 'Documents',
    summary: 'List the versions of a document',
    description: 'Texts are short; get a single version for all of its content.',
    scope: 'read',
    params: byId,
    query: versionsQuery,
    response: z.object({
      data: z.array(versionEntry),
      document: documentHead.describe('The document, without its texts.'),
      versions: z.array(versionEntry).describe('The same as `data`.'),
      pagination,
    }),
    example: {
      response: {
        ...page([exampleVersionEntry]),
        document: exampleDocumentHead,
        versions: [exampleVersionEntry],
      },
    },
    errors: ['not_found'],
    handler: ({ principal, params: { id: documentId }, query }) =>
      read(listDocumentVersions, { owner: ownerOf(principal), documentId, query }),
  });

const createDocumentVersionRoute = ({ write, now }: VersionDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/documents/{id}/versions',
    operationId: 'createDocumentVersion',
    group: 'Documents',
    summary: 'Add a version to a document',
    description:
      'The version is a `DRAFT`. Without a body, it is a copy of the newest version, with the title of the document. A document can have at most 1000 versions.',
    scope: 'write',
    params: byId,
    body: createVersionBody,
    response: one,
    example: { body: { content: exampleText }, response: shown(exampleDraft) },
    status: 201,
    errors: ['not_found', 'conflict'],
    handler: ({ principal, params: { id: documentId }, body: fields = {} }) =>
      write(createDocumentVersion, {
        owner: ownerOf(principal),
        documentId,
        id: randomUUID(),
        fields,
        at: now(),
      }),
  });

const getDocumentVersionRoute = ({ read }: VersionDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/documents/{id}/versions/{n}',
    operationId: 'getDocumentVersion',
    group: 'Documents',
    summary: 'Get a version of a document',
    scope: 'read',
    params: byNumber,
    response: one,
    example: { response: shown(exampleDocumentVersion) },
    errors: ['not_found'],
    handler: ({ principal, params: { id: documentId, n: number } }) =>
      read(getDocumentVersion, { owner: ownerOf(principal), documentId, number }),
  });

const updateDocumentVersionRoute = ({ write, now }: VersionDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/documents/{id}/versions/{n}',
    operationId: 'updateDocumentVersion',
    group: 'Documents',
    summary: 'Update a version of a document',
    description:
      'Text, language and metadata can be changed only while the version is a `DRAFT`. `status` can change from `DRAFT` to `REVIEW`, and from `REVIEW` back to `DRAFT` or to `APPROVED`. The document then shows the approved version, and the one approved before becomes `ARCHIVED`.',
    scope: 'write',
    params: byNumber,
    body: updateVersionBody,
    readOnlyFields: Object.keys(version.shape),
    response: one,
    example: { body: { status: 'REVIEW' }, response: shown({ ...exampleDocumentVersion, status: 'REVIEW' }) },
    errors: ['not_found', 'conflict'],
    handler: ({ principal, params: { id: documentId, n: number }, body: given }) =>
      write(updateDocumentVersion, { owner: ownerOf(principal), documentId, number, given, at: now() }),
  });

const activateDocumentVersionRoute = ({ write, now }: VersionDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/documents/{id}/versions/{n}/activate',
    operationId: 'activateDocumentVersion',
    group: 'Documents',
    summary: 'Activate a version of a document',
    description:
      'Approves the version regardless of its status, and makes the document `ACTIVE`. The version approved before becomes `ARCHIVED`.',
    scope: 'write',
    params: byNumber,
    response: one,
    example: { response: shown(exampleDocumentVersion) },
    status: 200,
    errors: ['not_found'],
    handler: ({ principal, params: { id: documentId, n: number } }) =>
      write(activateDocumentVersion, { owner: ownerOf(principal), documentId, number, at: now() }),
  });
