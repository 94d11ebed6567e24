import type { ReactNode } from 'react';

interface MetricProps {
  title: string;
  /** Value in large letters; null while there is none. */
  value: ReactNode;
  /** Explains the value, or why there is none. */
  children?: ReactNode;
}

/** One number with its name. Put several into a `dl`. */
export const Metric = ({ title, value, children }: MetricProps): ReactNode => (
  <div className="min-w-0 rounded-md border border-line px-3 py-2">
    <dt className="text-label text-dim">{title}</dt>
    <dd>
      <span className="text-headline font-semibold">{value ?? <span className="text-dim">–</span>}</span>
      <div className="text-label text-dim">{children}</div>
    </dd>
  </div>
);
