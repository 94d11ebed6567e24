import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ErrorPanel } from './error-panel.tsx';
import { LoadingRows } from './states.tsx';

interface LoadedProps<T> {
  /** The call whose data is shown. */
  of: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPlaceholderData' | 'isPending' | 'refetch'>;
  children: (data: T) => ReactNode;
  /** Shown while the first data loads. */
  loading?: ReactNode;
  /** True if the data fills the page to its edges; messages then keep a distance. */
  isFlush?: boolean;
  /** True if the data takes the complete height of the page. */
  isFull?: boolean;
  /** Other ways on when the call failed. */
  recourse?: (error: unknown) => ReactNode;
}

/** Shows the data of a call once it is there. While other data loads, or when that fails, the old one stays, greyed. */
export function Loaded<T>({
  of,
  children,
  loading,
  recourse,
  isFlush = false,
  isFull = false,
}: LoadedProps<T>): ReactNode {
  const { data, error, isPlaceholderData, isPending, refetch } = of;
  return (
    <>
      {error !== null && (
        <div className={classNames('my-3', isFlush && 'mx-4')}>
          <ErrorPanel error={error} onRetry={() => void refetch()}>
            {recourse?.(error)}
          </ErrorPanel>
        </div>
      )}
      {isPending && error === null && (
        <div className={isFlush ? 'px-4' : ''}>{loading ?? <LoadingRows />}</div>
      )}
      {data !== undefined && (
        <div
          aria-busy={isPlaceholderData}
          className={classNames(
            'min-w-0',
            isFull && 'h-full',
            (isPlaceholderData || error !== null) && 'opacity-60 transition-opacity delay-150',
          )}
        >
          {children(data)}
        </div>
      )}
    </>
  );
}

interface SectionProps {
  title: string;
  /** Controls at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A part of a page under a heading. */
export function Section({ title, actions, children, className }: SectionProps): ReactNode {
  return (
    <section aria-label={title} className={classNames('min-w-0', className)}>
      <div className="flex min-h-[26px] items-center gap-3">
        <h2 className="text-label font-semibold tracking-wide text-dim uppercase">{title}</h2>
        <div className="ml-auto flex items-center gap-2">{actions}</div>
      </div>
      {children}
    </section>
  );
}
