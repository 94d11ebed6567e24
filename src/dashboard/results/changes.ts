import type { ShownResult } from './result-types.ts';

type ResultChange = NonNullable<ShownResult['change']>;

/** Sign, name and colour of each change. */
export const CHANGE_NAMES: Readonly<Record<ResultChange, { sign: string; name: string; tone: string }>> = {
  REGRESSED: { sign: '↓', name: 'Regressed', tone: 'text-fail' },
  FIXED: { sign: '↑', name: 'Fixed', tone: 'text-pass' },
  BOTH_FAILED: { sign: '✕', name: 'Failed', tone: 'text-fail' },
  BOTH_PASSED: { sign: '✓', name: 'Passed', tone: 'text-pass' },
  ONE_SIDE: { sign: '–', name: 'Not compared', tone: 'text-dim' },
};
