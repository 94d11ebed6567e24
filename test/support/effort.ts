const factor = Number(process.env['TEST_EFFORT'] ?? 1);
if (!Number.isInteger(factor) || factor < 1)
  throw new Error(`TEST_EFFORT must be a whole number from 1; got ${process.env['TEST_EFFORT']}.`);

/** Multiplies the size of a random sample by TEST_EFFORT, for a longer run of the same test. */
export const effort = (size: number): number => size * factor;

/** True in a run with TEST_EFFORT: matrices of which other runs take a part are complete. */
export const isComplete = factor > 1;
