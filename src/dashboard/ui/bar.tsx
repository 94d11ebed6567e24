import type { ReactNode } from 'react';

/** Shows a share from 0 to 1 as a bar. The number stands beside it: the bar is for the eye alone. */
export const Bar = ({ share }: { share: number }): ReactNode => (
  <svg
    viewBox="0 0 100 8"
    preserveAspectRatio="none"
    aria-hidden="true"
    className="inline-block h-2 w-full align-middle"
  >
    <rect width={Math.max(share * 100, share > 0 ? 1.5 : 0)} height="8" rx="1" className="fill-bar" />
  </svg>
);
