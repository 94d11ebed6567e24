import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

/** Shown where there is nothing yet: says why, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="mx-auto max-w-[620px] px-4 py-12">
      <h2 className="text-title font-semibold">{title}</h2>
      <div className="mt-2 grid gap-3 text-reading text-dim">{children}</div>
    </div>
  );
}

/** Holds the place of rows that load. */
export function LoadingRows({ rows = 6 }: { rows?: number }): ReactNode {
  return (
    <div role="status" aria-label="Loading" className="grid gap-3 py-3">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="h-3.5 animate-pulse rounded-sm bg-line" />
      ))}
    </div>
  );
}

/** Shows a command, ready to be copied. */
export function CommandText({ text, label = 'Command' }: { text: string; label?: string }): ReactNode {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-panel py-2 pr-2 pl-3">
      <pre
        tabIndex={0}
        aria-label={label}
        className="min-w-0 grow overflow-x-auto font-mono text-label leading-5 text-ink"
      >
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button onClick={() => void copy()}>
      {isCopied ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
