/** Whether a response is as the documents say, and tells nothing of another application. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Response } from '../../src/api/document.ts';
import {
  type ApiAnswer,
  type ApiCall,
  document,
  isOtlp,
  parametersIn,
  resolved,
} from '../support/api-calls.ts';
import type { AnyCall } from '../support/any-calls.ts';
import type { TenantFixture } from '../support/tenant-fixture.ts';
import { restErrorFaults } from './error-shape.ts';

const ajv = new Ajv2020({
  strict: false,
  formats: {
    binary: true,
    'date-time': /^\d{4,}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/,
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    uri: true,
    email: true,
    date: true,
  },
}).addSchema(document, 'api');

const responseOf = ({ operation }: ApiCall, status: number): Response | undefined => {
  const response = operation.responses[status];
  if (response === undefined || !('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1) ?? ''];
};

const validators = new Map<object, ValidateFunction>();
function validatorOf(schema: object): ValidateFunction {
  let validator = validators.get(schema);
  if (!validator) {
    const absolute = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/');
    validators.set(schema, (validator = ajv.compile(JSON.parse(absolute) as object)));
  }
  return validator;
}

/** Returns how a value differs from a schema of the document. */
export function schemaFaults(schema: object, value: unknown): string[] {
  const isValid = validatorOf(schema);
  return isValid(value) ? [] : [ajv.errorsText(isValid.errors)];
}

/** What of it is not as the documents say. */
export function faultsOf(
  call: ApiCall,
  { address, body }: AnyCall,
  answer: ApiAnswer,
  other: TenantFixture,
): string[] {
  const { status, text, contentType, json } = answer;
  // A busy server says that it is not ready.
  if (status >= 500 && !(status === 503 && call.path === '/readyz')) return [`${status}`];
  const response = responseOf(call, status);
  if (!response) return [`${status} is not documented: ${text}`];
  const faults: string[] = [];
  const [type = '', content] =
    Object.entries(response.content ?? {}).find(([name]) => contentType.startsWith(name)) ?? [];
  if (response.content ? type === '' : text !== '') faults.push(`it is ${contentType}: ${text}`);
  if (content && type === 'application/json') {
    faults.push(...schemaFaults(content.schema, json));
  }
  if (status >= 400 && !isOtlp(call)) faults.push(...restErrorFaults(status, contentType, text));
  if (status === 422) faults.push(...strangePaths(call, json));
  const sent = `${decodeURIComponent(address.replaceAll('%ED%A0%80', ''))} ${JSON.stringify(body)}`;
  if (text.includes(other.marker)) faults.push('it tells a text of another application');
  for (const id of Object.values(other.ids))
    if (text.includes(id) && !sent.includes(id)) faults.push('it tells an id of another application');
  return faults;
}

/** Paths of issues that do not begin with what the caller called it. */
function strangePaths(call: ApiCall, json: unknown): string[] {
  const contents = Object.values(call.operation.requestBody?.content ?? {}).map(({ schema }) =>
    resolved(schema),
  );
  const fields = contents.flatMap(({ properties = {}, anyOf = [] }) =>
    [properties, ...anyOf.map((one) => resolved(one).properties ?? {})].flatMap((one) => Object.keys(one)),
  );
  const names = new Set(
    [...parametersIn(call, 'path'), ...parametersIn(call, 'query')].map(({ name }) => name),
  );
  const { issues } = json as { issues: { path: string[]; message: string }[] };
  return issues
    .filter(({ message }) => !message.startsWith('is unknown'))
    .filter(({ path: [first] }) =>
      first === undefined ? fields.length === 0 : !names.has(first) && !fields.includes(first),
    )
    .map(({ path }) => `the path of an issue is ${JSON.stringify(path)}`);
}
