import { z } from 'zod';
import type { Route } from '../contract/route.ts';
import type { ErrorCode } from '../errors.ts';
import { isUpload, type Upload } from '../contract/upload.ts';
import type { ContentByType, ApiOperation, Parameter } from './document.ts';
import type { JsonSchema, Schemas } from './json-schema.ts';
import { connectionReferences, errorReferences, success } from './responses.ts';

/** The parts of a route that the API document uses. */
export type DescribedRoute = Omit<Route, 'handler'>;

/** Describes a route as an operation of OpenAPI. */
export function operationOf(route: DescribedRoute, schemas: Schemas): ApiOperation {
  const { operationId, group, summary, description, scope } = route;
  const isForLogin = route.caller === 'login';
  const parameters = [
    ...fieldsOf(route.params, 'path', schemas),
    ...fieldsOf(route.query, 'query', schemas),
    ...fileParametersOf(route, schemas),
    ...Object.entries(route.requestHeaders ?? {}).map(([name, meaning]) => header(name, meaning)),
  ];
  const requestBody = requestBodyOf(route, schemas);
  const access =
    scope !== null ? `Scope: \`${scope}\`.` : isForLogin ? 'Needs a login, not a key.' : 'No key needed.';
  return {
    operationId,
    tags: [group],
    summary,
    description: description === undefined ? access : `${description}\n\n${access}`,
    ...(scope === 'ingest' && { security: [{ apiKey: [], applicationId: [] }] }),
    ...(scope === null && { security: isForLogin ? [{ login: [], csrf: [] }] : [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...successesOf(route, schemas),
      ...errorReferences(errorsOf(route)),
      ...connectionReferences,
    },
  };
}

function fieldsOf(schema: z.ZodType | undefined, place: 'path' | 'query', schemas: Schemas): Parameter[] {
  if (!schema) return [];
  if (!(schema instanceof z.ZodObject)) throw new Error('Parameters are described by an object');
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, ...type } = schemas.of(field, 'parameter');
    return {
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: type,
    };
  });
}

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

function requestBodyOf(
  { operationId, body, documents, example }: DescribedRoute,
  schemas: Schemas,
): ApiOperation['requestBody'] {
  if (body === undefined) return undefined;
  if (isUpload(body)) {
    const file = { schema: { type: 'string', format: 'binary' } };
    const files: ContentByType = Object.fromEntries(Object.keys(body.fileTypes).map((type) => [type, file]));
    const form = { schema: formSchema(body, schemas) };
    return { required: true, content: { 'multipart/form-data': form, ...files } };
  }
  const schema = body === 'bytes' ? documents?.body : body;
  const isOptional = body !== 'bytes' && body.safeParse(undefined).success;
  const media = {
    schema: schema ? schemas.of(schema, 'body', bodyName(operationId)) : {},
    ...(example?.body !== undefined && { example: example.body }),
  };
  return { required: !isOptional, content: { 'application/json': media } };
}

/** Returns the fields of a form as parameters of a body that is the file itself. */
function fileParametersOf({ body }: DescribedRoute, schemas: Schemas): Parameter[] {
  if (!isUpload(body) || Object.keys(body.fileTypes).length === 0) return [];
  return fieldsOf(body.fields, 'query', schemas).map(({ description = '', ...field }) => ({
    ...field,
    description: `${description} A form may have this as a field instead.`.trim(),
  }));
}

function formSchema({ fields, extensions }: Upload, schemas: Schemas): JsonSchema {
  const { properties, required = [], ...schema } = schemas.of(fields, 'body');
  const description = `Its name ends in ${extensions.join(', ')}.`;
  const file = { type: 'string', format: 'binary', description };
  return { ...schema, properties: { ...properties, file }, required: [...required, 'file'] };
}

const bodyName = (operationId: string): string =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`;

function successesOf(route: DescribedRoute, schemas: Schemas): ApiOperation['responses'] {
  const { status, furtherStatuses = [], responseHeaders } = route;
  const statuses = [status, ...furtherStatuses].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((one) => [
      one,
      success(one, responseHeaders, one === 204 || one === 304 ? undefined : contentOf(route, schemas)),
    ]),
  );
}

function contentOf(
  { response, mediaType, mediaTypes, documents, example }: DescribedRoute,
  schemas: Schemas,
): ContentByType | undefined {
  if (response === null) return undefined;
  if (mediaType !== undefined) return { [mediaType]: { schema: { type: 'string', format: 'binary' } } };
  if (response === 'stream') {
    const media = { schema: { type: 'string', format: 'binary' } };
    return Object.fromEntries((mediaTypes ?? []).map((type) => [type, media]));
  }
  if (response === 'events') {
    // OpenAPI cannot describe the events of a stream: the stream is text, its data has an extension.
    const data = documents?.response && schemas.of(documents.response, 'response');
    const schema = {
      type: 'string',
      description: 'Server-Sent Events.',
      contentMediaType: 'text/event-stream',
    };
    return {
      'text/event-stream': {
        schema: { ...schema, ...(data && { 'x-event-data': data }) },
        example: example?.response,
      },
    };
  }
  const schema = response === 'bytes' ? documents?.response : unwrap(response);
  return {
    'application/json': {
      schema: schema ? schemas.of(schema, 'response') : {},
      ...(example?.response !== undefined && { example: example.response }),
    },
  };
}

/** A body that is missing with one status is present with the other. */
const unwrap = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;

/** Returns the errors of a route. Any route may return `bad_request` for a malformed request. */
function errorsOf({
  method,
  scope,
  caller,
  params,
  query,
  body,
  errors = [],
}: DescribedRoute): Set<ErrorCode> {
  const all = new Set<ErrorCode>([...errors, 'bad_request', 'internal']);
  if (caller === 'login') for (const code of ['rate_limited', 'unavailable'] as const) all.add(code);
  if (scope !== null || caller === 'login') {
    if (scope !== 'ingest') all.add('misdirected');
    for (const code of ['unauthorized', 'forbidden', 'unavailable'] as const) all.add(code);
    // Any request may have a Content-Encoding, and all except GET may have a body, even if it is not read.
    all.add('unsupported_media_type');
    if (method !== 'GET') all.add('too_large');
  }
  // Ingest has no rate limit.
  if (scope !== null && scope !== 'ingest') all.add('rate_limited');
  // The router rejects parameters that are too long.
  if (params !== undefined) all.add('not_found');
  if (params !== undefined || query !== undefined || body !== undefined) all.add('invalid');
  return all;
}
