import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { formatWhole } from '../format/number.ts';

interface RunProgressProps {
  tests: Run['tests'];
  /** True in a row of a list. */
  isBrief?: boolean;
}

const PARTS = [
  ['completed', 'done', 'fill-pass'],
  ['failed', 'failed', 'fill-fail'],
  ['inProgress', 'in progress', 'fill-accent'],
  ['pending', 'queued', 'fill-bar'],
] as const;

export const isRunInFlight = ({ tests: { pending, inProgress } }: Pick<Run, 'tests'>): boolean =>
  pending + inProgress > 0;

/** Shows how far the tests of a run are, as a bar and in words. */
export function RunProgressBar({ tests, isBrief = false }: RunProgressProps): ReactNode {
  const words = PARTS.filter(([name]) => tests[name] > 0).map(
    ([name, word]) => `${formatWhole(tests[name])} ${word}`,
  );
  return (
    <div className={isBrief ? 'flex items-center gap-2' : 'grid gap-1'}>
      <svg
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        aria-hidden="true"
        className={isBrief ? 'h-2 w-24 shrink-0' : 'h-2.5 w-full'}
      >
        {PARTS.map(([name, , colour], index) => {
          const before = PARTS.slice(0, index).reduce((sum, [other]) => sum + tests[other], 0);
          const percent = (count: number): number => (tests.total === 0 ? 0 : (count / tests.total) * 100);
          return (
            <rect key={name} x={percent(before)} width={percent(tests[name])} height="8" className={colour} />
          );
        })}
      </svg>
      <span className="truncate text-dim">{words.length === 0 ? 'no tests' : words.join(', ')}</span>
    </div>
  );
}
