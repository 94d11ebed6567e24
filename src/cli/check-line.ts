import type { Check } from '../contract/check.ts';

const MARKS = { ok: '✓', warning: '!', problem: '✕' } as const;

/** Returns the lines that show one finding. */
export const checkLine = ({ name, level, message, advice }: Check): string =>
  `${MARKS[level]} ${level.padEnd(7)} ${name}: ${message}\n${advice === null ? '' : `            ${advice}\n`}`;
