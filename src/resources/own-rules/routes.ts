import { invalid } from '../../contract/errors.ts';
import { checkPrices } from '../../traces/prices/check-prices.ts';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { ownVersion, previewMappings, setOwnRules } from '../../traces/calls.ts';
import type { OwnRule } from '../../traces/own-rules/own-rule.ts';
import type { OwnVersion } from '../../traces/own-rules/store.ts';
import {
  mappingPreview,
  type OwnMappingsRecord,
  ownMappings,
  type OwnPricesRecord,
  ownPrices,
  previewMappingsBody,
  setMappingsBody,
  setPricesBody,
  versionQuery,
} from './contract.ts';
import { exampleMappingPreview, exampleOwnMappings, exampleOwnPrices } from './example.ts';

export interface OwnRulesDeps extends StoreCalls {
  /** Called after the own rules or prices of an application were changed. */
  onOwnRulesChanged: (application: number) => void;
}

const APPLIES =
  'They apply to every request that arrives after the response, and to what is shown of stored spans; `touchstone remap` applies them to lists, sums and filters of stored traces.';

export const ownRulesRoutes = (deps: OwnRulesDeps): Route[] => [
  getMappingsRoute(deps),
  setMappingsRoute(deps),
  previewMappingsRoute(deps),
  getPricesRoute(deps),
  setPricesRoute(deps),
];

const getMappingsRoute = ({ read }: OwnRulesDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/mappings',
    operationId: 'getMappings',
    group: 'Own rules',
    summary: 'Get the mapping rules of the application',
    scope: 'read',
    query: versionQuery,
    response: z.object({ data: ownMappings }),
    example: { response: { data: exampleOwnMappings } },
    errors: ['not_found'],
    handler: async ({ principal: { application }, query: { version } }) => ({
      data: mappingsOf(known(await read(ownVersion, { application, part: 'mappings', version }))),
    }),
  });

const setMappingsRoute = ({ write, now, onOwnRulesChanged }: OwnRulesDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/mappings',
    operationId: 'setMappings',
    group: 'Own rules',
    summary: 'Set the mapping rules of the application',
    description: `Replaces all of them, as a new version. ${APPLIES}`,
    scope: 'write',
    body: setMappingsBody,
    response: z.object({ data: ownMappings }),
    example: { body: { rules: exampleOwnMappings.rules }, response: { data: exampleOwnMappings } },
    errors: ['conflict'],
    handler: async ({ principal: { application }, body: { rules, replaces } }) => {
      const content = JSON.stringify(rules);
      const stored = await write(setOwnRules, {
        application,
        part: 'mappings',
        content,
        expected: replaces,
        at: now(),
      });
      onOwnRulesChanged(application);
      return { data: mappingsOf(stored) };
    },
  });

const previewMappingsRoute = ({ read }: OwnRulesDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/mappings/preview',
    operationId: 'previewMappings',
    group: 'Own rules',
    summary: 'Try mapping rules on stored spans',
    description:
      'Stores nothing. Also names the keys that no rule reads, with the field that each probably means.',
    scope: 'read',
    body: previewMappingsBody,
    response: z.object({ data: mappingPreview }),
    example: { body: { rules: exampleOwnMappings.rules }, response: { data: exampleMappingPreview } },
    status: 200,
    handler: async ({ principal: { application }, body: { rules } }) => {
      const stored = await read(ownVersion, { application, part: 'mappings' });
      const tried = rules ?? (JSON.parse(known(stored).content) as OwnRule[]);
      return { data: await read(previewMappings, { application, rules: tried }) };
    },
  });

const getPricesRoute = ({ read }: OwnRulesDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/prices',
    operationId: 'getPrices',
    group: 'Own rules',
    summary: 'Get the prices of the application',
    description: 'They precede those of the prices file and of the built-in table.',
    scope: 'read',
    query: versionQuery,
    response: z.object({ data: ownPrices }),
    example: { response: { data: exampleOwnPrices } },
    errors: ['not_found'],
    handler: async ({ principal: { application }, query: { version } }) => ({
      data: pricesOf(known(await read(ownVersion, { application, part: 'prices', version }))),
    }),
  });

const setPricesRoute = ({ write, now, onOwnRulesChanged }: OwnRulesDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/prices',
    operationId: 'setPrices',
    group: 'Own rules',
    summary: 'Set the prices of the application',
    description: `Replaces all of them, as a new version. ${APPLIES}`,
    scope: 'write',
    body: setPricesBody,
    response: z.object({ data: ownPrices }),
    example: { body: { prices: exampleOwnPrices.prices }, response: { data: exampleOwnPrices } },
    errors: ['conflict'],
    handler: async ({ principal: { application }, body: { prices, replaces } }) => {
      checkPrices(prices, (problem) => {
        throw invalid([{ code: 'custom', path: ['prices'], message: problem }]);
      });
      const content = JSON.stringify(prices);
      const stored = await write(setOwnRules, {
        application,
        part: 'prices',
        content,
        expected: replaces,
        at: now(),
      });
      onOwnRulesChanged(application);
      return { data: pricesOf(stored) };
    },
  });

function known(stored: OwnVersion | null): OwnVersion {
  if (stored === null) throw new AppError('not_found', 'there is no such version');
  return stored;
}

const mappingsOf = ({ version, content, createdAt }: OwnVersion): OwnMappingsRecord => ({
  version,
  modifiedAt: createdAt === null ? null : isoTime(createdAt),
  rules: JSON.parse(content) as OwnMappingsRecord['rules'],
});

const pricesOf = ({ version, content, createdAt }: OwnVersion): OwnPricesRecord => ({
  version,
  modifiedAt: createdAt === null ? null : isoTime(createdAt),
  prices: JSON.parse(content) as OwnPricesRecord['prices'],
});
