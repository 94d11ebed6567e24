const DIGITS = 1e12;

/** A number without the noise of its last binary digits, so that a mean of three quarters is not above 0.75. */
export const settled = (value: number): number => Math.round(value * DIGITS) / DIGITS;

/** A share from 0 to 1 in percent. */
export const percent = (share: number): number => Math.round(share * DIGITS) / (DIGITS / 100);
