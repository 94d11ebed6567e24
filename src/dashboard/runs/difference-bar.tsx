import type { ReactNode } from 'react';

interface DifferenceBarProps {
  /** Percentage points. */
  estimate: number;
  low: number;
  high: number;
}

/** Steps of the scale, in percentage points. */
const SCALES = [10, 20, 40, 100] as const;

/** Draws a difference with its interval on a scale around no difference. */
export function DifferenceBar({ estimate, low, high }: DifferenceBarProps): ReactNode {
  const most = SCALES.find((scale) => Math.max(-low, high) <= scale) ?? 100;
  const at = (points: number): string => `${(Math.min(Math.max(points / most, -1), 1) + 1) * 50}%`;
  const colour = high < 0 ? 'stroke-fail' : low > 0 ? 'stroke-pass' : 'stroke-accent';
  const fill = high < 0 ? 'fill-fail' : low > 0 ? 'fill-pass' : 'fill-accent';
  const label = `Difference ${estimate.toFixed(1)} points, 95 % interval ${low.toFixed(1)} to ${high.toFixed(1)}`;
  return (
    <div className="max-w-[820px]">
      <p aria-hidden="true" className="flex justify-between text-axis text-dim">
        <span>−{most} points</span>
        <span>no difference</span>
        <span>+{most} points</span>
      </p>
      <svg role="img" aria-label={label} className="h-[18px] w-full" overflow="visible">
        <title>{label}</title>
        <line x1="0" x2="100%" y1="9" y2="9" className="stroke-line" strokeWidth="2" />
        <line x1="50%" x2="50%" y1="1" y2="17" className="stroke-dim" strokeDasharray="2 2" />
        <g className={colour} strokeWidth="2">
          <line x1={at(low)} x2={at(high)} y1="9" y2="9" />
          <line x1={at(low)} x2={at(low)} y1="4" y2="14" />
          <line x1={at(high)} x2={at(high)} y1="4" y2="14" />
          <circle cx={at(estimate)} cy="9" r="3.5" className={fill} />
        </g>
      </svg>
    </div>
  );
}
