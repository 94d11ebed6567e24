import type { ContentByType, ApiOperation, Parameter, Response } from '../document.ts';
import { code, escapeHtml, fieldTable, inline, paragraphs } from './html.ts';
import { meaningOf, schemaHtml, typeOf } from './schema-html.ts';

export interface ListedOperation {
  method: string;
  path: string;
  operation: ApiOperation;
}

/** Shows one operation: what it does, its parameters, body and response, and an example for the shell. */
export function operationHtml(listed: ListedOperation): string {
  const { method, path, operation } = listed;
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const [status = '200', success] = Object.entries(responses).find(([name]) => name.startsWith('2')) ?? [];
  return [
    `<article id="${operationId}"><h3><a href="#${operationId}">${escapeHtml(summary)}</a></h3>`,
    `<p class="path"><b class="${method.toLowerCase()}">${method}</b> ${code(path)}</p>`,
    paragraphs(description),
    ...(['path', 'query', 'header'] as const).map((place) => parameterHtml(place, parameters, summary)),
    requestBody ? `<h4>Body</h4>${contentHtml(`Body of ${summary}`, requestBody.content)}` : '',
    success && 'description' in success ? responseHtml(status, success, summary) : '',
    `<h4>Example</h4><pre>${escapeHtml(curlOf(listed))}</pre>`,
    errorsHtml(responses),
    '</article>',
  ].join('');
}

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function parameterHtml(
  place: keyof typeof PLACES,
  parameters: readonly Parameter[],
  summary: string,
): string {
  const rows = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, description, schema }) => ({
      name,
      type: typeOf(schema),
      isRequired: required,
      meaning: meaningOf(schema, description),
    }));
  const title = PLACES[place];
  return rows.length === 0 ? '' : `<h4>${title}</h4>${fieldTable(`${title} of ${summary}`, rows)}`;
}

function contentHtml(label: string, content: ContentByType): string {
  const [[type, media] = []] = Object.entries(content);
  if (type === undefined || media === undefined) return '';
  const others = Object.keys(content);
  const types =
    others.length === 1 && type === 'application/json' ? '' : `<p>${others.map(code).join(', ')}</p>`;
  return types + schemaHtml(label, media.schema);
}

function responseHtml(status: string, { content = {}, headers = {} }: Response, summary: string): string {
  const names = Object.keys(headers).filter((name) => name !== 'x-request-id');
  const [media] = Object.values(content);
  const example =
    media?.example === undefined
      ? ''
      : `<details><summary>Example of the response</summary><pre>${escapeHtml(textOf(media.example))}</pre></details>`;
  return [
    `<h4>Response ${status}</h4>`,
    contentHtml(`Response of ${summary}`, content),
    names.length === 0 ? '' : `<p>Headers: ${names.map(code).join(', ')}</p>`,
    example,
  ].join('');
}

const textOf = (example: unknown): string =>
  typeof example === 'string' ? example : JSON.stringify(example, null, 2);

function errorsHtml(responses: ApiOperation['responses']): string {
  const errors = Object.keys(responses).filter((status) => Number(status) >= 400);
  return errors.length === 0
    ? ''
    : `<p class="errors">${inline(`Errors: ${errors.join(', ')}`)} – <a href="#errors">what they mean</a></p>`;
}

/** Returns a command for the shell with variables for the key and for ids. */
function curlOf({ method, path, operation }: ListedOperation): string {
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `$${variableOf(name)}`);
  const needsKey = operation.security?.length !== 0;
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json'];
  const form = content['multipart/form-data'];
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$TOUCHSTONE_URL${url}"`,
    ...(needsKey
      ? ['-H "x-api-key: $TOUCHSTONE_API_KEY"', '-H "x-application-id: $TOUCHSTONE_APPLICATION_ID"']
      : []),
    ...(json
      ? [
          "-H 'content-type: application/json'",
          `-d '${JSON.stringify(json.example ?? {}, null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : form
        ? ['-F file=@FILE']
        : []),
  ].join(' \\\n  ');
}

const variableOf = (parameter: string): string =>
  parameter.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
