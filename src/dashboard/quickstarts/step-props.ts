import type { Quickstart, QuickstartStep } from '../../api/generated/schema.ts';

/** Properties of the screen of a step. */
export interface StepProps {
  quickstart: Quickstart;
  counts: readonly QuickstartStep[];
  /** True if nothing can be changed any more, or not by this person. */
  isReadOnly: boolean;
}
