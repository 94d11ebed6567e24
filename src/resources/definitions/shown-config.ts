/** Fields of `globalConfig` that clients require, and that the store leaves out because they are defaults. */
import type { DefinitionType } from '../../evaluate/definition-config.ts';
import { isObject } from '../../contract/is-object.ts';

type Config = Readonly<Record<string, unknown>>;

/** Types for which generated clients expect a `criterion`, although none is required. */
const WITH_CRITERION: ReadonlySet<DefinitionType> = new Set(['NATURALNESS', 'STYLE', 'RECALL']);

/** Default of `matchMode` for lists. */
const MATCH_MODE = 'exact_unordered';
/** Defaults of `extract`. */
const EXTRACT = { flags: '', group: 0 } as const;

/** Returns a configuration as the API shows it, with its defaults. */
export function shownConfig(type: DefinitionType, config: Config): Record<string, unknown> {
  if (WITH_CRITERION.has(type)) return { criterion: '', ...config };
  if (type !== 'OUTPUT_MATCH') return { ...config };
  const { extract } = config;
  return {
    ...(config['type'] === 'list' && { matchMode: MATCH_MODE }),
    ...config,
    ...(isObject(extract) && { extract: { ...EXTRACT, ...extract } }),
  };
}

/**
 * Returns a configuration without defaults, so that one that is sent back as it was read equals the stored one. Faulty
 * values are kept for the checks that follow.
 */
export function storedConfig(type: DefinitionType, config: Config): Record<string, unknown> {
  const { criterion, ...rest } = config;
  if (criterion === '' && type !== 'CUSTOM') return storedConfig(type, rest);
  if (type !== 'OUTPUT_MATCH') return { ...config };
  const { matchMode, extract, ...others } = withoutNulls(config);
  const isDefault = matchMode === MATCH_MODE && config['type'] === 'list';
  return {
    ...others,
    ...(matchMode !== undefined && !isDefault && { matchMode }),
    ...(extract !== undefined && { extract: isObject(extract) ? withoutDefaults(extract) : extract }),
  };
}

/** Clients that parse absent fields as null send them back so. */
const withoutNulls = (config: Config): Config =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));

const withoutDefaults = (extract: Config): Config =>
  Object.fromEntries(
    Object.entries(extract).filter(
      ([name, value]) => !Object.hasOwn(EXTRACT, name) || value !== EXTRACT[name as keyof typeof EXTRACT],
    ),
  );
