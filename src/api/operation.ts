import { z } from 'zod';
import type { Route } from '../contract/route.ts';
import type { ErrorCode } from '../errors.ts';
import { isUpload, type Upload } from '../contract/upload.ts';
import type { Content, Operation, Parameter } from './document.ts';
import { groupOf } from './groups.ts';
import type { JsonSchema, Schemas } from './json-schema.ts';
import type { OperationNote } from './notes/note.ts';
import { operationNote } from './operation-notes.ts';
import { connectionReferences, errorReferences, success } from './responses.ts';

/** A route as far as it is documented. */
export type DescribedRoute = Omit<Route, 'handler'>;

/** A route in the words of OpenAPI. */
export function operationOf(route: DescribedRoute, schemas: Schemas): Operation {
  const { method, path, summary, description, scope } = route;
  const note = operationNote(method, path);
  const parameters = [
    ...fieldsOf(route.params, 'path', schemas),
    ...fieldsOf(route.query, 'query', schemas),
    ...Object.entries(route.requestHeaders ?? {}).map(([name, meaning]) => header(name, meaning)),
  ];
  const requestBody = requestBodyOf(route, note, schemas);
  const rule = scope === null ? 'No key needed.' : `Scope: \`${scope}\`.`;
  return {
    operationId: note.id,
    tags: [groupOf(path)],
    summary,
    description: description === undefined ? rule : `${description}\n\n${rule}`,
    ...(scope === null && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...successesOf(route, note, schemas),
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
  { body, documents }: DescribedRoute,
  { id, body: example }: OperationNote,
  schemas: Schemas,
): Operation['requestBody'] {
  if (body === undefined) return undefined;
  if (isUpload(body)) {
    return { required: true, content: { 'multipart/form-data': { schema: formSchema(body, schemas) } } };
  }
  const schema = body === 'bytes' ? documents?.body : body;
  const isOptional = body !== 'bytes' && body.safeParse(undefined).success;
  const media = {
    schema: schema ? schemas.of(schema, 'body', bodyName(id)) : {},
    ...(example !== undefined && { example }),
  };
  return { required: !isOptional, content: { 'application/json': media } };
}

function formSchema({ fields, extensions }: Upload, schemas: Schemas): JsonSchema {
  const { properties, required = [], ...schema } = schemas.of(fields, 'body');
  const description = `Its name ends in ${extensions.join(', ')}.`;
  const file = { type: 'string', format: 'binary', description };
  return { ...schema, properties: { ...properties, file }, required: [...required, 'file'] };
}

const bodyName = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;

function successesOf(route: DescribedRoute, note: OperationNote, schemas: Schemas): Operation['responses'] {
  const { status, furtherStatuses = [], answerHeaders } = route;
  const statuses = [status, ...furtherStatuses].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((one) => [
      one,
      success(one, answerHeaders, one === 204 ? undefined : answerOf(route, note, schemas)),
    ]),
  );
}

function answerOf(
  { response, documents }: DescribedRoute,
  note: OperationNote,
  schemas: Schemas,
): Content | undefined {
  if (response === null) return undefined;
  if (response === 'events') {
    // OpenAPI has no word for the events of a stream: their data is described, the stream is text.
    const data = documents?.response && schemas.of(documents.response, 'answer');
    const schema = {
      type: 'string',
      description: 'Server-Sent Events.',
      contentMediaType: 'text/event-stream',
    };
    return {
      'text/event-stream': {
        schema: { ...schema, ...(data && { 'x-event-data': data }) },
        example: note.answer,
      },
    };
  }
  const schema = response === 'bytes' ? documents?.response : unwrap(response);
  return {
    'application/json': {
      schema: schema ? schemas.of(schema, 'answer') : {},
      ...(note.answer !== undefined && { example: note.answer }),
    },
  };
}

/** An answer that is left out with one status is there with the other. */
const unwrap = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;

/** What can go wrong with a route. `bad_request` can come from the connection too. */
function errorsOf({ method, scope, params, query, body, errors = [] }: DescribedRoute): Set<ErrorCode> {
  const all = new Set<ErrorCode>([...errors, 'bad_request', 'internal']);
  if (scope !== null) {
    for (const code of ['unauthorized', 'forbidden', 'unavailable'] as const) all.add(code);
    // Any request may name a Content-Encoding, and all but GET may have a body, even where none is read.
    all.add('unsupported_media_type');
    if (method !== 'GET') all.add('too_large');
  }
  // What is sent to be stored is not counted.
  if (scope !== null && scope !== 'ingest') all.add('rate_limited');
  // The router takes no parameter that is too long.
  if (params !== undefined) all.add('not_found');
  if (params !== undefined || query !== undefined || body !== undefined) all.add('invalid');
  return all;
}
