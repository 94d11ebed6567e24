/** Definitions and links in the form that clients generated for the hosted interface can parse. */
import { isObject } from './is-object.ts';

/** Header by which such a client requests its form. */
export const CLIENT_FORM = 'x-client-form';
export const HOSTED = 'hosted';

/** Types of definitions that the hosted form has. */
const HOSTED_TYPES: ReadonlySet<unknown> = new Set([
  'NATURALNESS',
  'STYLE',
  'RECALL',
  'CUSTOM',
  'OUTPUT_MATCH',
]);

/**
 * Returns a response in which definitions of other types are shown as `CUSTOM`, with the type as `evaluatorType`, and expected
 * outputs as texts or lists of texts.
 */
export function inHostedForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inHostedForm);
  if (!isObject(value)) return value;
  if (isObject(value['globalConfig']) && 'type' in value && 'name' in value) return hostedDefinition(value);
  const members = Object.entries(value).map(([name, member]) => [
    name,
    'evalDefinition' in value && name === 'config' ? hostedConfig(member) : inHostedForm(member),
  ]);
  return Object.fromEntries(members) as unknown;
}

function hostedDefinition(definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { type, globalConfig } = definition;
  if (HOSTED_TYPES.has(type)) return { ...definition };
  return {
    ...definition,
    type: 'CUSTOM',
    evaluatorType: type,
    globalConfig: { criterion: '', ...(globalConfig as object) },
  };
}

/** Returns the configuration of a link; null if nothing is expected, as that form has no expected null. */
function hostedConfig(config: unknown): unknown {
  if (!isObject(config)) return config;
  const { expected } = config;
  if (expected === null || expected === undefined) return null;
  return { ...config, expected: Array.isArray(expected) ? expected.map(textOrJson) : textOrJson(expected) };
}

const textOrJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
