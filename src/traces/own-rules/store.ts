import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { previewMappings } from './preview.ts';

export type RulePart = 'mappings' | 'prices';

/** Own rules of an application as they travel between threads. */
export interface AppliedOwnRules {
  /** Changes with every change of the rules or the prices. */
  version: string;
  /** JSON of the mapping rules and of the prices, as text, because most threads know it already. */
  mappings: string;
  prices: string;
}

/** Versions that are kept of each part. */
const KEPT_VERSIONS = 100;

export interface OwnVersion {
  /** 0 if there are none. */
  version: number;
  content: string;
  /** Unix milliseconds; null if there are none. */
  createdAt: number | null;
}

interface OfApplication {
  application: number;
}

const EMPTY: Readonly<Record<RulePart, string>> = { mappings: '[]', prices: '{}' };

/** Returns the own rules or prices of an application: the latest ones, or those of an earlier version, null when it is unknown. */
function ownVersion(
  database: Database,
  { application, part, version }: OfApplication & { part: RulePart; version?: number | undefined },
): OwnVersion | null {
  const row = database.get<OwnVersion>(
    `SELECT version, content, created_at AS createdAt FROM own_rules
     WHERE application = :application AND part = :part AND version = coalesce(:version,
       (SELECT max(version) FROM own_rules WHERE application = :application AND part = :part))`,
    { application, part, version: version ?? null },
  );
  if (row) return row;
  return version === undefined || version === 0
    ? { version: 0, content: EMPTY[part], createdAt: null }
    : null;
}

/** Stores a new version. Throws `conflict` when `expected` is not the version that it replaces. */
export function setOwnRules(
  database: Database,
  {
    application,
    part,
    content,
    expected,
    at,
  }: OfApplication & { part: RulePart; content: string; expected?: number | undefined; at: number },
): OwnVersion {
  const { version: last } = ownVersion(database, { application, part }) as OwnVersion;
  if (expected !== undefined && expected !== last)
    throw new AppError(
      'conflict',
      `version ${expected} was replaced by version ${last}; load it and apply the change again`,
    );
  const version = last + 1;
  const lastTkey = database.get<{ tkey: number | null }>('SELECT max(tkey) AS tkey FROM trace')?.tkey ?? 0;
  database.run(
    `INSERT INTO own_rules (application, part, version, content, created_at, last_tkey)
     VALUES (:application, :part, :version, :content, :at, :lastTkey)`,
    { application, part, version, content, at, lastTkey },
  );
  database.run(
    'DELETE FROM own_rules WHERE application = :application AND part = :part AND version <= :version',
    { application, part, version: version - KEPT_VERSIONS },
  );
  return { version, content, createdAt: at };
}

/** Returns the rules by which spans of an application are read now; null when it never had any. */
export function appliedOwnRules(database: Database, { application }: OfApplication): AppliedOwnRules | null {
  const mappings = ownVersion(database, { application, part: 'mappings' }) as OwnVersion;
  const prices = ownVersion(database, { application, part: 'prices' }) as OwnVersion;
  if (mappings.version === 0 && prices.version === 0) return null;
  return {
    version: `${mappings.version}.${prices.version}`,
    mappings: mappings.content,
    prices: prices.content,
  };
}

/** Notes that the traces of an application up to one were mapped again by a version of its own rules. */
export const noteRemapped = (
  database: Database,
  { application, version, tkey }: OfApplication & { version: string; tkey: number },
): void =>
  void database.run(
    `INSERT INTO own_remap (application, version, after_tkey) VALUES (:application, :version, :tkey)
     ON CONFLICT (application) DO UPDATE SET version = excluded.version, after_tkey = excluded.after_tkey`,
    { application, version, tkey },
  );

export const ownRulesCommands = { setOwnRules };
export const ownRulesQueries = { ownVersion, appliedOwnRules, previewMappings };
