import { styleText } from 'node:util';
import { printable } from './server-trouble.ts';

export const dim = (text: string): string => styleText('dim', text);
export const bold = (text: string): string => styleText('bold', text);

/** Shortens an untrusted text to one line of at most `length` characters that cannot control a terminal. */
export function truncateLine(text: string, length: number): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** Formats a time for a column, in UTC: `2026-01-31 12:00:00`. */
export const timeText = (iso: string): string => iso.slice(0, 19).replace('T', ' ');

/** Formats a duration for a column: `842 ms`, `12.4 s`. */
export const durationText = (ms: number): string =>
  ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
