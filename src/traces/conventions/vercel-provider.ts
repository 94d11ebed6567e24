import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import type { JsonObject } from './json.ts';
import { memberOf, objectMember } from './members.ts';
import { tierName } from './picks.ts';

/** Returns a function that picks from an object of the AI SDK with one member for each provider. */
function ofProvider(
  pick: (one: JsonObject, usage: JsonObject) => JsonValue | undefined,
): (value: JsonValue) => JsonValue | undefined {
  return (value) => {
    if (!isObject(value)) return undefined;
    for (const one of Object.values(value)) {
      const found = isObject(one) ? pick(one, objectMember(one, 'usage') ?? {}) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Picks the service tier from the metadata of a response or the options of a request. */
export const tierOfProvider = ofProvider((one, usage) =>
  tierName(memberOf(one, 'serviceTier', 'service_tier') ?? memberOf(usage, 'serviceTier', 'service_tier')),
);

/** Picks the number of tokens that Anthropic wrote to a cache. */
export const cacheWritesOfProvider = ofProvider(
  (one, usage) =>
    memberOf(one, 'cacheCreationInputTokens') ??
    memberOf(usage, 'cache_creation_input_tokens', 'cacheWriteInputTokens'),
);

/** Picks the number of those of them that the cache keeps for an hour. */
export const hourWritesOfProvider = ofProvider((_one, usage) =>
  memberOf(objectMember(usage, 'cache_creation') ?? {}, 'ephemeral_1h_input_tokens'),
);
