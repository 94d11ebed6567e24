import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  pass: 'border-transparent bg-pass-soft text-pass',
  fail: 'border-transparent bg-fail-soft text-fail',
  doubt: 'border-transparent bg-doubt-soft text-doubt',
  plain: 'border-edge bg-page text-ink',
  accent: 'border-transparent bg-selection text-accent',
};
export type Tone = keyof typeof TONES;

/** A short fact in a frame. Colour never says it alone: begin the text with a sign or a word. */
export function Badge({
  tone = 'plain',
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex h-[22px] items-center gap-1 rounded-md border px-2 text-label whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
