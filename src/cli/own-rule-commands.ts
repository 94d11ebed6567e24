import type { CliCommands } from './command-entry.ts';

/** Commands of own mapping rules and of prices. */
export const OWN_RULE_COMMANDS: CliCommands = {
  mappings: {
    group: 'Data',
    usage: '[--application-id ID] [--json]',
    meaning: 'print the own mapping rules of an application, as mappings import reads them',
    examples: ['mappings > mappings.json'],
    worksOn: 'store',
    load: async () => (await import('./mappings.ts')).showMappings,
  },
  'mappings import': {
    group: 'Data',
    usage: 'FILE [--application-id ID] [--json]',
    meaning: 'replace the own mapping rules of an application by those of FILE; works while a server runs',
    examples: ['mappings import mappings.json'],
    worksOn: 'store',
    load: async () => (await import('./mappings.ts')).importMappings,
  },
  prices: {
    group: 'Data',
    usage: 'MODEL [--provider NAME] [--at DAY] [--application-id ID] [--prices-file FILE] [--json]',
    meaning: 'show the price of a model, the table that it is in, and the name by which it was found',
    examples: ['prices gpt-4o-2024-08-06', 'prices gpt-oss-120b --provider groq --at 2026-09-01'],
    worksOn: 'store',
    load: async () => (await import('./prices.ts')).showPrice,
  },
  'prices check': {
    group: 'Data',
    usage: 'FILE [--json]',
    meaning: 'check a file of prices',
    examples: ['prices check prices.json'],
    worksOn: 'nothing',
    load: async () => (await import('./prices.ts')).checkPricesFile,
  },
  'prices apply': {
    group: 'Data',
    usage: '[--from DAY] [--dry-run] [--application-id ID] [--prices-file FILE] [--json]',
    meaning:
      'calculate the costs of stored traces again by the prices of now, and print the sums before and after; works while a server runs',
    examples: ['prices apply --from 2026-09-01 --dry-run', 'prices apply --from 2026-09-01'],
    worksOn: 'store',
    load: async () => (await import('./prices.ts')).applyPrices,
  },
};
