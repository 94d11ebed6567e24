import { AppError } from '../../errors.ts';
import { DETERMINISTIC_EVALUATORS } from '../../evaluate/evaluators/deterministic.ts';
import type { Definition, Gate } from './contract.ts';

/** Agreement of a version of a definition with people, as a reader has measured it. */
export interface MeasuredKappa {
  version: number;
  /** Cohen's kappa; null when it is unknown. */
  kappa: number | null;
}

type Judge = Pick<Definition, 'version' | 'type'>;

/** Reports whether a change makes a definition a gate (`asked`) whose kappa must be measured first. */
export function needsKappa(
  before: Pick<Definition, 'gate' | 'version'>,
  after: Judge,
  asked: Gate | undefined,
): asked is NonNullable<Gate> {
  if (asked === undefined || asked === null || DETERMINISTIC_EVALUATORS.has(after.type)) return false;
  return before.version !== after.version || asked.minKappa !== before.gate?.minKappa;
}

/**
 * Returns whether a definition is a gate after a change (`asked`; undefined when the change does not set it). Throws
 * `conflict` when a gate is requested and the judge has not reached its kappa, or was changed after it was measured.
 */
export function gateAfterChange(
  before: Pick<Definition, 'gate' | 'version'>,
  after: Judge,
  asked: Gate | undefined,
  measured: MeasuredKappa | null,
): Gate {
  if (asked === undefined)
    return before.version === after.version || DETERMINISTIC_EVALUATORS.has(after.type) ? before.gate : null;
  if (needsKappa(before, after, asked)) requireKappa(measured, asked.minKappa, after.version);
  return asked;
}

function requireKappa(measured: MeasuredKappa | null, minKappa: number, version: number): void {
  if (measured?.version !== version)
    throw new AppError(
      'conflict',
      'The evaluation definition was changed by another request at the same time; repeat the request',
    );
  const { kappa } = measured;
  if (kappa !== null && kappa >= minKappa) return;
  const found = kappa === null ? 'is unknown, because there are no human verdicts' : `is ${kappa}`;
  throw new AppError(
    'conflict',
    `The evaluation definition cannot be a gate: it requires a kappa of ${minKappa}, and that of version ${version} ${found}`,
  );
}
