import type { ReactNode } from 'react';
import type { Interval } from '../format/interval.ts';
import { formatPercent } from '../format/number.ts';

interface IntervalBarProps {
  /** Observed share, from 0 to 1. */
  share: number;
  interval: Interval;
  /** The same of an earlier time, drawn faintly below. */
  before?: { share: number; interval: Interval } | undefined;
  /** Share at the right end. Default: 1. */
  scale?: number;
}

/** Confidence is low where the interval is wider than this; the point is hollow then. */
const WIDE = 0.35;

/** Draws a share with its interval on a scale that begins at 0. */
export function IntervalBar({ share, interval, before, scale = 1 }: IntervalBarProps): ReactNode {
  const isSure = interval.high - interval.low <= WIDE;
  const label = `${formatPercent(share)}, 95 % interval ${formatPercent(interval.low)} to ${formatPercent(interval.high)}`;
  return (
    <svg role="img" aria-label={label} className="h-[18px] w-full" overflow="visible">
      <title>{label}</title>
      <line x1="0" x2="100%" y1="9" y2="9" className="stroke-line" strokeWidth="2" />
      {before && <Mark {...before} scale={scale} y={15} isFaint />}
      <Mark share={share} interval={interval} scale={scale} y={9} isHollow={!isSure} />
    </svg>
  );
}

interface MarkProps {
  share: number;
  interval: Interval;
  scale: number;
  y: number;
  isFaint?: boolean;
  isHollow?: boolean;
}

function Mark({
  share,
  interval: { low, high },
  scale,
  y,
  isFaint = false,
  isHollow = false,
}: MarkProps): ReactNode {
  const colour = isFaint ? 'stroke-bar' : 'stroke-accent';
  const at = (value: number): string => `${(value / scale) * 100}%`;
  return (
    <g className={colour} strokeWidth={isFaint ? 1 : 2}>
      <line x1={at(low)} x2={at(high)} y1={y} y2={y} />
      {!isFaint &&
        [low, high].map((end) => <line key={end} x1={at(end)} x2={at(end)} y1={y - 5} y2={y + 5} />)}
      <circle
        cx={at(share)}
        cy={y}
        r={isFaint ? 1.5 : 3.5}
        className={isHollow ? 'fill-page' : isFaint ? 'fill-bar' : 'fill-accent'}
      />
    </g>
  );
}
