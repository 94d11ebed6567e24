/** Bounds of a share, from 0 to 1. */
export interface Interval {
  low: number;
  high: number;
}

/** Converts an interval from percent to shares. */
export const shareInterval = ({ low, high }: Interval): Interval => ({ low: low / 100, high: high / 100 });
