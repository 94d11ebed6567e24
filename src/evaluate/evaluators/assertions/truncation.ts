import type { Aspect } from '../../evaluator.ts';
import type { Subject } from '../../subject.ts';
import type { CheckOutcome } from './assertion.ts';

/** Returns the aspects that a check reads when it counts or searches all parts of a trace. */
export const readsAll = (...aspects: Aspect[]): Aspect[] => [...aspects, 'isTruncated'];

/** Adds a note to the finding for a trace that was not read completely. */
export const noteTruncation = ({ isTruncated }: Subject, finding: CheckOutcome): CheckOutcome =>
  isTruncated ? { ...finding, reason: `${finding.reason} (the trace has more data than was read)` } : finding;
