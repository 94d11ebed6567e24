import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

interface ErrorPanelProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
  /** Another way on, such as a narrower request. */
  children?: ReactNode;
}

/** Says what went wrong with a call, what may help, and how to find it in the log of the server. */
export function ErrorPanel({ error, onRetry, children }: ErrorPanelProps): ReactNode {
  const { title, hint, issues, requestId, retryAfter, canRetry } = describe(error);
  return (
    <div role="alert" className="rounded-md border border-fail bg-page px-3.5 py-3">
      <p className="font-semibold">
        <span className="text-fail" aria-hidden="true">
          ✕{' '}
        </span>
        {title}
      </p>
      {hint !== null && <p className="mt-1 text-dim">{hint}</p>}
      {issues.length > 0 && (
        <ul className="mt-1.5">
          {issues.map(({ path, message }) => (
            <li key={`${path.join('.')} ${message}`}>
              <code className="font-mono text-label">{path.join('.') || 'request'}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        {onRetry && canRetry && <RetryButton key={requestId} after={retryAfter} onRetry={onRetry} />}
        {children}
        {requestId !== null && (
          <span className="ml-auto text-label text-dim">
            Request <code className="font-mono select-all">{requestId}</code>
          </span>
        )}
      </div>
    </div>
  );
}

/** Says in one line why a change failed, beside the button that made it. */
export function ErrorLine({ error, className }: { error: unknown; className?: string }): ReactNode {
  if (error === null || error === undefined) return null;
  const { title, hint } = describe(error);
  return (
    <p role="alert" className={classNames('text-fail', className)}>
      <span aria-hidden="true">✕ </span>
      {title} {hint}
    </p>
  );
}

/** Counts down until the server is ready for the same call. */
function RetryButton({ after, onRetry }: { after: number; onRetry: () => void }): ReactNode {
  const [left, setLeft] = useState(after);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <Button disabled={left > 0} onClick={onRetry}>
      {left > 0 ? `Retry in ${left} s` : 'Retry'}
    </Button>
  );
}

interface Description {
  title: string;
  hint: string | null;
  issues: readonly { path: readonly string[]; message: string }[];
  requestId: string | null;
  /** Time until the same call may succeed, in seconds. */
  retryAfter: number;
  /** False if the same call would fail again. */
  canRetry: boolean;
}

function describe(error: unknown): Description {
  if (error instanceof ApiError) {
    const { message, status, issues, requestId, retryAfter } = error;
    const wait = Math.min(Math.max(retryAfter ?? 0, 0), 3600);
    return {
      title: message.charAt(0).toUpperCase() + message.slice(1),
      hint: HINTS[status] ?? null,
      issues,
      requestId,
      retryAfter: Math.ceil(wait),
      canRetry: status !== 404,
    };
  }
  const isNetwork = error instanceof TypeError;
  return {
    title: isNetwork ? 'The server cannot be reached.' : 'This page failed.',
    hint: isNetwork
      ? 'Check that it is running and that this computer is connected to it.'
      : error instanceof Error
        ? error.message
        : String(error),
    issues: [],
    requestId: null,
    retryAfter: 0,
    canRetry: true,
  };
}

const HINTS: Readonly<Record<number, string>> = {
  403: 'Your role in this application does not allow it. Administrators change roles in Settings.',
  404: 'It may have been deleted, or it belongs to another application.',
  412: 'Your changes are still here. Check them, and save again.',
  500: 'The log of the server has the cause, under the id of this request.',
};
