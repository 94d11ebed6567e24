const DIGITS = 1e12;

/** Removes the noise of the last binary digits of a number, so that a mean of three quarters does not exceed 0.75. */
export const settled = (value: number): number => Math.round(value * DIGITS) / DIGITS;

/** Converts a share from 0 to 1 to percent. */
export const percent = (share: number): number => Math.round(share * DIGITS) / (DIGITS / 100);

export const settledOrNull = (value: number | null): number | null =>
  value === null ? null : settled(value);

export const settledMean = (values: readonly number[]): number =>
  settled(values.reduce((sum, value) => sum + value, 0) / values.length);
