import type { ReactNode } from 'react';
import { formatWhole } from '../format/number.ts';
import { classNames } from '../ui/class-names.ts';
import type { WaitingMark } from './use-attention.ts';

const MOST_SHOWN = 99;

/** Number of records that wait on a screen, or a sign of a fault, beside its name in the navigation. */
export function NavigationMark({ mark, className }: { mark: WaitingMark; className?: string }): ReactNode {
  const { count, isBad } = mark;
  const shown = count === null ? '!' : count > MOST_SHOWN ? `${MOST_SHOWN}+` : formatWhole(count);
  return (
    <span className={classNames('shrink-0 font-semibold', isBad ? 'text-fail' : 'text-dim', className)}>
      <span aria-hidden="true">{shown}</span>
      <span className="sr-only">
        {count === null ? ' needs attention' : ` ${formatWhole(count)} waiting`}
      </span>
    </span>
  );
}
