import { settled } from './settled.ts';
import type { Interval } from './wilson.ts';

/** Formats a percentage as `87.5 %`, rounded down, so that a rate below a limit never appears to reach it. */
export const percentText = (percent: number): string => `${Math.floor(settled(10 * percent)) / 10} %`;

/** Formats an interval in percent. */
export const intervalText = ({ low, high }: Interval): string =>
  `${percentText(low)} to ${percentText(high)}`;

/** Formats percentage points with their sign. */
export const pointsText = (value: number): string =>
  `${value > 0 ? '+' : ''}${Math.round(value * 10) / 10} points`;
