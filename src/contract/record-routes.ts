import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { IF_MATCH, versionsToChange } from './etag.ts';
import { page } from './example-values.ts';
import { type Owner, ownerOf } from './owner.ts';
import { pagination } from './paging.ts';
import { type ResponseOf, type Parsed, type Route, route } from './route.ts';
import type { RouteGroup } from './route-group.ts';
import type { Principal, ScopeName } from './scope.ts';
import { uuid } from './values.ts';

/** Settings that all routes of one kind of record share. */
interface RecordKind<R extends z.ZodType> {
  /** Path of the list. */
  path: `/${string}`;
  group: RouteGroup;
  record: R;
  /** Example record for the API document. */
  example: z.input<R>;
  /** Property of a response that contains the record. */
  key?: string;
  /** Schema of the id in a path. Default: a uuid. */
  id?: z.ZodType<string>;
}

interface ChangeableKind<R extends z.ZodType> extends RecordKind<R> {
  now: () => number;
  /** Scope that changes need. Default: `write`. */
  scope?: ScopeName;
}

/** Settings that differ from route to route. */
interface Described {
  operationId: string;
  summary: string;
  description?: string;
  /** Errors besides those that follow from the kind of route. */
  errors?: readonly ErrorCode[];
}

type Eventually<T> = T | Promise<T>;
type Listed<R extends z.ZodType> = z.ZodObject<{ data: z.ZodArray<R>; pagination: typeof pagination }>;

interface List<Q extends z.ZodType, L extends z.ZodType> extends Described {
  query: Q;
  /** Schema of the list response; default: a page of records. */
  response?: L;
  example?: unknown;
  handler: (args: { owner: Owner; query: Parsed<Q> }, principal: Principal) => Eventually<ResponseOf<L>>;
}

interface Get<R> extends Described {
  handler: (args: { owner: Owner; id: string }, principal: Principal) => Eventually<R>;
}

interface Create<B extends z.ZodType, R> extends Described {
  body: B;
  /** Example; `response` is the created record, by default the example of the kind. */
  example: { body: z.input<B>; response?: R };
  handler: (
    args: { owner: Owner; id: string; fields: Parsed<B>; at: number },
    principal: Principal,
  ) => Eventually<R>;
}

interface Update<B extends z.ZodObject, R> extends Described {
  body: B;
  /** Example body. The response is the example of the kind with these fields. */
  example: z.input<B>;
  handler: (
    args: { owner: Owner; id: string; given: Parsed<B>; at: number; versions: readonly string[] | null },
    principal: Principal,
  ) => Eventually<R>;
}

interface Remove extends Described {
  handler: (args: { owner: Owner; id: string; at: number }, principal: Principal) => Promise<unknown>;
}

/** Creates the read routes that all kinds of records share. A resource declares only what differs. */
export const readRoutes = <R extends z.ZodType>(kind: RecordKind<R>) => ({
  list: <Q extends z.ZodType, L extends z.ZodType = Listed<R>>(given: List<Q, L>) => listRoute(kind, given),
  get: (given: Get<z.input<R>>) => getRoute(kind, given),
});

/** Creates the routes of records that callers can change. */
export const recordRoutes = <R extends z.ZodObject>(kind: ChangeableKind<R>) => ({
  ...readRoutes(kind),
  create: <B extends z.ZodType>(given: Create<B, z.input<R>>) => createRoute(kind, given),
  update: <B extends z.ZodObject>(given: Update<B, z.input<R>>) => updateRoute(kind, given),
  remove: (given: Remove) => deleteRoute(kind, given),
});

const listRoute = <R extends z.ZodType, Q extends z.ZodType, L extends z.ZodType>(
  { path, group, record, example }: RecordKind<R>,
  given: List<Q, L>,
): Route =>
  route({
    path,
    group,
    ...given,
    method: 'GET',
    scope: 'read',
    response: given.response ?? z.object({ data: z.array(record), pagination }),
    example: { response: given.example ?? page([example]) },
    handler: ({ principal, query }) => given.handler({ owner: ownerOf(principal), query }, principal),
  });

const getRoute = <R extends z.ZodType>(kind: RecordKind<R>, given: Get<z.input<R>>): Route =>
  route({
    ...onRecord(kind),
    ...given,
    method: 'GET',
    scope: 'read',
    response: one(kind),
    example: { response: shown(kind, kind.example) },
    errors: ['not_found', ...(given.errors ?? [])],
    handler: async ({ principal, params: { id } }) =>
      shown(kind, await given.handler({ owner: ownerOf(principal), id }, principal)),
  });

const createRoute = <R extends z.ZodType, B extends z.ZodType>(
  kind: ChangeableKind<R>,
  given: Create<B, z.input<R>>,
): Route =>
  route({
    path: kind.path,
    group: kind.group,
    ...given,
    method: 'POST',
    scope: kind.scope ?? 'write',
    response: one(kind),
    example: { body: given.example.body, response: shown(kind, given.example.response ?? kind.example) },
    status: 201,
    handler: async ({ principal, body: fields }) => {
      const args = { owner: ownerOf(principal), id: randomUUID(), fields, at: kind.now() };
      return shown(kind, await given.handler(args, principal));
    },
  });

const updateRoute = <R extends z.ZodObject, B extends z.ZodObject>(
  kind: ChangeableKind<R>,
  { description, ...given }: Update<B, z.input<R>>,
): Route =>
  route({
    ...onRecord(kind),
    ...given,
    description: description === undefined ? PARTIAL : `${PARTIAL} ${description}`,
    method: 'PUT',
    scope: kind.scope ?? 'write',
    readOnlyFields: Object.keys(kind.record.shape),
    response: one(kind),
    example: { body: given.example, response: shown(kind, { ...kind.example, ...given.example }) },
    errors: ['not_found', 'precondition_failed', ...(given.errors ?? [])],
    requestHeaders: IF_MATCH,
    handler: async ({ principal, params: { id }, body, headers }) => {
      const versions = versionsToChange(headers);
      const args = { owner: ownerOf(principal), id, given: body, at: kind.now(), versions };
      return shown(kind, await given.handler(args, principal));
    },
  });

const deleteRoute = <R extends z.ZodType>(kind: ChangeableKind<R>, given: Remove): Route =>
  route({
    ...onRecord(kind),
    ...given,
    method: 'DELETE',
    scope: kind.scope ?? 'write',
    response: null,
    errors: ['not_found', ...(given.errors ?? [])],
    handler: async ({ principal, params: { id } }) => {
      await given.handler({ owner: ownerOf(principal), id, at: kind.now() }, principal);
      return undefined;
    },
  });

const PARTIAL =
  'Absent fields keep their values, and read-only fields are ignored, so that a record can be sent back as it was read.';
const onRecord = ({ path, group, id = uuid }: Pick<RecordKind<z.ZodType>, 'path' | 'group' | 'id'>) =>
  ({ path: `${path}/{id}`, group, params: z.object({ id }) }) as const;

const one = ({ key = 'data', record }: Pick<RecordKind<z.ZodType>, 'key' | 'record'>): z.ZodType =>
  z.object({ [key]: record });

const shown = ({ key = 'data' }: { key?: string }, record: unknown): unknown => ({ [key]: record });
