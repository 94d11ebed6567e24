import type { ContentByType, OpenApiDocument, ApiOperation, Parameter } from '../src/api/document.ts';
import type { JsonSchema } from '../src/api/json-schema.ts';

const HEAD = `// Generated from the routes by \`npm run openapi\`.
// biome-ignore-all format: generated
/* eslint-disable max-lines */
`;

/** The types that openapi-fetch takes, and one for each named schema, as TypeScript. */
export function clientTypes({ paths, components }: OpenApiDocument): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const endpoints = Object.entries(paths).map(([path, operations]) => {
    const methods = Object.entries(operations).map(
      ([method, operation]) => `    ${method}: ${operationType(operation)};\n`,
    );
    return `  '${path}': {\n${methods.join('')}  };\n`;
  });
  const answers = Object.entries(components.responses)
    .filter(([name]) => endpoints.some((endpoint) => endpoint.includes(`: ${name}Answer;`)))
    .map(([name, { content }]) => `type ${name}Answer = ${answerType(content)};\n`);
  return `${HEAD}\n${schemas.join('\n')}\n${answers.join('')}\nexport interface paths {\n${endpoints.join('')}}\n`;
}

function operationType({ parameters = [], requestBody, responses }: ApiOperation): string {
  const places = (['path', 'query', 'header'] as const).map((place) =>
    parametersType(
      place,
      parameters.filter((parameter) => parameter.in === place),
    ),
  );
  const answers = Object.entries(responses).map(([status, response]) => {
    const type = '$ref' in response ? `${nameOf(response.$ref)}Answer` : answerType(response.content);
    return `        ${status}: ${type};\n`;
  });
  const body = requestBody
    ? `requestBody${requestBody.required ? '' : '?'}: { content: ${contentType(requestBody.content)} };`
    : 'requestBody?: never;';
  return `{\n      parameters: { ${places.join(' ')} };\n      ${body}\n      responses: {\n${answers.join('')}      };\n    }`;
}

const answerType = (content: ContentByType | undefined): string =>
  `{ headers: Record<string, unknown>; content${content ? '' : '?'}: ${contentType(content)} }`;

function parametersType(place: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return `${place}?: never;`;
  const isOptional = parameters.every(({ required }) => !required);
  const fields = parameters.map(
    ({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema, '')}`,
  );
  return `${place}${isOptional ? '?' : ''}: { ${fields.join('; ')} };`;
}

const contentType = (content: ContentByType | undefined): string =>
  content
    ? `{ ${Object.entries(content)
        .map(([type, { schema }]) => `'${type}': ${typeOf(schema, '        ')}`)
        .join('; ')} }`
    : 'never';

function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((choice) => typeOf(choice, indent)));
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part, indent)})`).join(' & ');
  if (schema.not) return 'never';
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `(${typeOf(schema.items ?? {}, indent)})[]`;
    case 'object':
      return objectType(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`);
  }
}

function objectType({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
  if (!properties) {
    const values =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description, inner)}${inner}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`,
  );
  const more = typeof additionalProperties === 'object' ? `${inner}[name: string]: unknown;\n` : '';
  return `{\n${fields.join('')}${more}${indent}}`;
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`);
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;
