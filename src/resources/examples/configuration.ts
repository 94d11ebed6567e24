import { isObject } from '../../contract/is-object.ts';

/**
 * Lists in the files of other tools: `tests` of promptfoo; `items` and `data` of Langfuse; `examples` of Phoenix; `events` of
 * Braintrust; `records` of MLflow; `samples` in logs of Inspect.
 */
export const LISTS = ['tests', 'items', 'data', 'examples', 'events', 'records', 'samples'] as const;

/** Parts of a configuration of promptfoo that examples do not have. */
const CONFIGURATION = [
  'prompts',
  'providers',
  'targets',
  'scenarios',
  'derivedMetrics',
  'env',
  'extensions',
  'nunjucksFilters',
  'redteam',
  'evaluateOptions',
];
const KEPT_DEFAULTS: ReadonlySet<string> = new Set([
  'vars',
  'assert',
  'threshold',
  'metadata',
  'description',
]);
const KEPT_OPTIONS: ReadonlySet<string> = new Set(['disableVarExpansion', 'disableDefaultAsserts']);

/** Returns why a configuration of promptfoo has no tests of its own, and what to import; null for any other value. */
export function absentTests(value: unknown): string | null {
  if (!isObject(value)) return null;
  const { tests, scenarios, data, config } = value;
  if (isObject(data) && Array.isArray(data['examples']))
    return 'has its examples in `data.examples`: import what `data` has as a file of its own';
  if (isObject(config) && Array.isArray(config['tests']))
    return 'has results and their configuration: import what `config` has as a file of its own';
  if (typeof tests === 'string')
    return `has its tests in another file, ${JSON.stringify(tests.slice(0, 200))}: import that one`;
  return tests === undefined && Array.isArray(scenarios)
    ? 'has scenarios and no `tests`: write their tests as `tests`'
    : null;
}

/** Returns the parts of a configuration of promptfoo that its examples do not have. */
export function lostMembers(value: unknown): string[] {
  if (!isObject(value) || !Array.isArray(value['tests'])) return [];
  const defaults = isObject(value['defaultTest']) ? value['defaultTest'] : {};
  const options = isObject(defaults['options']) ? Object.keys(defaults['options']) : [];
  return [
    ...CONFIGURATION.filter((name) => Object.hasOwn(value, name)),
    ...Object.keys(defaults)
      .filter((name) => name !== 'options' && !KEPT_DEFAULTS.has(name))
      .map((name) => `defaultTest.${name}`),
    ...options.filter((name) => !KEPT_OPTIONS.has(name)).map((name) => `defaultTest.options.${name}`),
    ...(typeof value['defaultTest'] === 'string' ? ['defaultTest'] : []),
  ].map((name) => `file: ${name}`);
}
