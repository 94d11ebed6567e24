import type { ReactNode } from 'react';
import { SmallTable } from './small-table.tsx';

/** Shows which rows of a file were rejected, and why. */
export const RejectedRows = ({ rows }: { rows: readonly { line: number; error: string }[] }): ReactNode => (
  <SmallTable label="Rejected rows" heads={[['Line', 'w-16'], ['Why']]}>
    {rows.map(({ line, error }, index) => (
      <tr key={index} className="border-t border-line">
        <td className="py-1">{line}</td>
        <td className="py-1 break-words">{error}</td>
      </tr>
    ))}
  </SmallTable>
);
