import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Payload, Prose } from '../span/messages.tsx';

/** Text as it reads, and other values as data. */
export const BubbleText = ({ value, label }: { value: unknown; label: string }): ReactNode =>
  typeof value === 'string' && !/^\s*[[{]/.test(value) ? (
    <Prose text={value} />
  ) : (
    <Payload value={value} label={label} />
  );

interface BubbleProps {
  title: ReactNode;
  note?: ReactNode;
  isAnswer?: boolean;
  isSelected?: boolean;
  /** False for no content. */
  children: ReactNode;
}

/** One speech or step of a trace. */
export const Bubble = ({
  title,
  note,
  isAnswer = false,
  isSelected = false,
  children,
}: BubbleProps): ReactNode => (
  <article
    aria-label={isAnswer ? 'The answer' : undefined}
    className={classNames(
      'min-w-0 overflow-hidden rounded-md border',
      isAnswer ? 'border-accent min-[1024px]:ml-12' : isSelected ? 'border-edge' : 'border-line',
    )}
  >
    <header
      className={classNames(
        'flex items-center gap-2 border-line px-2.5 py-1 not-only:border-b',
        isSelected ? 'bg-selection' : 'bg-panel',
      )}
    >
      {title}
      <span className="ml-auto shrink-0 text-label text-dim">{note}</span>
    </header>
    {children && <div className="grid grid-cols-1 gap-2.5 px-2.5 py-2">{children}</div>}
  </article>
);
