import { type ReactNode, useEffect, useState } from 'react';
import { formatDuration, twoDigits } from '../format/time.ts';
import { classNames } from '../ui/class-names.ts';
import type { StoryStep } from './story.ts';

interface StoryListProps {
  steps: readonly StoryStep[];
  /** Time by which the current step must end; null if unknown. */
  deadline: { at: number; text: string } | null;
}

/** Shows the steps of a test below each other, with the time between them. */
export function StoryList({ steps, deadline }: StoryListProps): ReactNode {
  return (
    <ol className="mt-1">
      {steps.map((step, index) => (
        <li
          key={`${index} ${step.title}`}
          aria-current={step.state === 'current' ? 'step' : undefined}
          className={classNames(
            'grid grid-cols-[86px_20px_minmax(0,1fr)] gap-x-2',
            step.state === 'pending' && 'text-dim',
          )}
        >
          <span className="text-right text-dim">{timeOf(step)}</span>
          <span className="relative">
            <Mark state={step.state} isLast={index === steps.length - 1} />
          </span>
          <div className={step.detail === null && step.state !== 'current' ? 'pb-2.5' : 'pb-3'}>
            <p
              className={classNames(
                step.state !== 'pending' && 'font-semibold',
                step.state === 'failed' && 'text-fail',
              )}
            >
              {step.title}
              <span className="sr-only">{STATE_WORDS[step.state]}</span>
            </p>
            {step.detail !== null && <p className="break-words">{step.detail}</p>}
            {step.state === 'current' && step.at !== null && (
              <Clock since={Date.parse(step.at)} deadline={deadline} />
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

const STATE_WORDS: Readonly<Record<StoryStep['state'], string>> = {
  reached: ' (reached)',
  current: ' (now)',
  failed: ' (failed)',
  pending: ' (not reached)',
};

function timeOf({ at, gapMs }: StoryStep): string {
  if (at === null) return '–';
  if (gapMs !== null) return gapMs < 1 ? '+0 ms' : `+${formatDuration(gapMs)}`;
  const time = new Date(at);
  const ending = `${twoDigits(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`;
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}:${ending}`;
}

const LOOKS: Readonly<Record<StoryStep['state'], string>> = {
  reached: 'fill-page stroke-pass',
  current: 'fill-accent stroke-accent',
  failed: 'fill-fail stroke-fail',
  pending: 'fill-page stroke-edge',
};

function Mark({ state, isLast }: { state: StoryStep['state']; isLast: boolean }): ReactNode {
  return (
    <svg aria-hidden="true" className="absolute inset-0 h-full w-5" overflow="visible">
      {!isLast && <line x1="10" x2="10" y1="10" y2="100%" className="stroke-edge" strokeWidth="2" />}
      <circle cx="10" cy="10" r="5" strokeWidth="2" className={LOOKS[state]} />
    </svg>
  );
}

/** Counts how long the current step has lasted, and down to its deadline. */
function Clock({ since, deadline }: { since: number; deadline: StoryListProps['deadline'] }): ReactNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = deadline === null ? null : deadline.at - now;
  return (
    <p className="text-dim" role="timer">
      for {seconds(now - since)}
      {deadline !== null && left !== null && (
        <>
          ; {deadline.text} {left > 0 ? `in ${seconds(left)}` : 'now'}
        </>
      )}
    </p>
  );
}

/** Formats a length of time as minutes and seconds. */
function seconds(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds / 1000));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
