import type { Aspect } from '../../evaluator.ts';
import type { Subject } from '../../subject.ts';
import type { Finding } from './assertion.ts';

/** Aspects read by a check that counts, or searches, the parts of a trace. */
export const readsAll = (...aspects: Aspect[]): Aspect[] => [...aspects, 'isTruncated'];

/** The finding; of a trace that was not read as a whole it says so. */
export const whole = ({ isTruncated }: Subject, finding: Finding): Finding =>
  isTruncated ? { ...finding, reason: `${finding.reason} (more belongs to it than was read)` } : finding;
