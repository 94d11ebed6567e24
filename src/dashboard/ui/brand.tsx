import type { ReactNode } from 'react';

/** The name of the product with its sign. */
export const Brand = (): ReactNode => (
  <span className="inline-flex items-center gap-2 text-reading font-semibold">
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <rect width="16" height="16" rx="3.5" className="fill-accent" />
      <path
        d="M4 8.4l2.7 2.7L12 5.4"
        fill="none"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-accent"
      />
    </svg>
    <span className="max-[1279px]:sr-only">Touchstone</span>
  </span>
);
