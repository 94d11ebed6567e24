import { percent } from '../../evaluate/statistics/settled.ts';
import { wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import { hexOf, inTimeAtEach } from '../../storage/dialect.ts';
import { definitions } from '../definitions/record.ts';
import { shownConfig } from '../definitions/shown-config.ts';
import type { DefinitionVersion } from './contract.ts';

/** Most versions that are listed, the newest ones. */
const MAX_VERSIONS = 50;

interface OfDefinition {
  application: number;
  id: string;
}

/** Returns SQL of the newest verdict of a version on each subject: `subject`, `passed` and `at`. `version` is SQL. */
const newestVerdicts = (version: string): string =>
  `(SELECT subject, passed, at FROM (
     SELECT coalesce(test_id, ${hexOf('trace_id')}) AS subject, passed, created_at AS at,
       row_number() OVER (PARTITION BY coalesce(test_id, ${hexOf('trace_id')}) ORDER BY version DESC) AS place
     FROM eval WHERE application = :application AND definition_id = :id AND definition_version = ${version}
       AND status = 'COMPLETED' AND ${inTimeAtEach('version')}) AS numbered
   WHERE place = 1)`;

interface Counts {
  judged: number;
  passed: number;
  firstAt: number | null;
  lastAt: number | null;
}

/** Returns the versions of a definition, the current one first, with what their verdicts say. Throws `not_found`. */
export function definitionVersions(
  database: Database,
  { application, id, against }: OfDefinition & { against: number | null },
): DefinitionVersion[] {
  const current = definitions.require(database, application, id);
  const numbers = Array.from(
    { length: Math.min(current.version, MAX_VERSIONS) },
    (_, index) => current.version - index,
  );
  return numbers.map((version) => {
    const isCurrent = version === current.version;
    const { judged, passed, firstAt, lastAt } = countsOf(database, { application, id, version });
    const content = isCurrent ? current : appliedContent(database, { application, id, version });
    return {
      version,
      isCurrent,
      type: content?.type ?? null,
      globalConfig: content && shownConfig(content.type, content.globalConfig),
      repeats: content?.repeats ?? null,
      firstVerdictAt: firstAt === null ? null : isoTime(firstAt),
      lastVerdictAt: lastAt === null ? null : isoTime(lastAt),
      judged,
      passRate: judged === 0 ? null : rateOf(passed, judged),
      shared: against === null ? null : sharedOf(database, { application, id, version, against }),
    };
  });
}

function rateOf(passed: number, judged: number): NonNullable<DefinitionVersion['passRate']> {
  const { low, high } = wilsonInterval(passed / judged, judged);
  return { rate: percent(passed / judged), low: percent(low), high: percent(high) };
}

const countsOf = (database: Database, of: OfDefinition & { version: number }): Counts =>
  database.get<Counts>(
    `SELECT count(*) AS judged, coalesce(sum(passed), 0) AS passed, min(at) AS "firstAt", max(at) AS "lastAt"
     FROM ${newestVerdicts(':version')} AS newest`,
    { ...of },
  ) as Counts;

type Content = Pick<ReturnType<typeof definitions.require>, 'type' | 'globalConfig' | 'repeats'>;

/** Returns what a version was applied as, by one of its verdicts. */
function appliedContent(database: Database, of: OfDefinition & { version: number }): Content | null {
  const row = database.get<{ judge: string }>(
    `SELECT judge FROM eval WHERE application = :application AND definition_id = :id AND definition_version = :version
       AND status = 'COMPLETED' AND judge IS NOT NULL ORDER BY created_at DESC LIMIT 1`,
    { ...of },
  );
  if (!row) return null;
  const { definition } = JSON.parse(row.judge) as {
    definition?: Partial<Content> & { config?: Content['globalConfig'] };
  };
  if (definition?.type === undefined || definition.config === undefined) return null;
  return { type: definition.type, globalConfig: definition.config, repeats: definition.repeats ?? 1 };
}

function sharedOf(
  database: Database,
  of: OfDefinition & { version: number; against: number },
): DefinitionVersion['shared'] {
  const row = database.get<NonNullable<DefinitionVersion['shared']>>(
    `SELECT count(*) AS judged, coalesce(sum(this.passed * other.passed), 0) AS "bothPassed",
       coalesce(sum(this.passed * (1 - other.passed)), 0) AS "onlyThisPassed",
       coalesce(sum((1 - this.passed) * other.passed), 0) AS "onlyOtherPassed",
       coalesce(sum((1 - this.passed) * (1 - other.passed)), 0) AS "bothFailed"
     FROM ${newestVerdicts(':version')} AS this JOIN ${newestVerdicts(':against')} AS other ON other.subject = this.subject`,
    { ...of },
  );
  return row ?? null;
}
