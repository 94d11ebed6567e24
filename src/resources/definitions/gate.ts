import { AppError } from '../../errors.ts';
import { DETERMINISTIC_EVALUATORS } from '../../evaluate/evaluators/deterministic.ts';
import type { Database } from '../../storage/database.ts';
import type { Definition, Gate } from './contract.ts';
import { measuredKappa } from './reliability.ts';
import type { OfVersion } from './verdict-store.ts';

/**
 * Returns whether a definition is a gate after a change (`asked`; undefined when the change does not set it). Throws
 * `conflict` when a gate is requested and the judge has not reached its kappa.
 */
export function gateAfterChange(
  database: Database,
  before: Pick<Definition, 'gate' | 'version'>,
  after: OfVersion & Pick<Definition, 'type'>,
  asked: Gate | undefined,
): Gate {
  const isSure = DETERMINISTIC_EVALUATORS.has(after.type);
  const isSameJudge = before.version === after.version;
  if (asked === undefined) return isSameJudge || isSure ? before.gate : null;
  const isKept = isSameJudge && asked?.minKappa === before.gate?.minKappa;
  if (asked !== null && !isSure && !isKept)
    requireKappa(measuredKappa(database, after), asked.minKappa, after.version);
  return asked;
}

function requireKappa(kappa: number | null, minKappa: number, version: number): void {
  if (kappa !== null && kappa >= minKappa) return;
  const measured = kappa === null ? 'is unknown, because there are no human verdicts' : `is ${kappa}`;
  throw new AppError(
    'conflict',
    `The evaluation definition cannot be a gate: it requires a kappa of ${minKappa}, and that of version ${version} ${measured}`,
  );
}
