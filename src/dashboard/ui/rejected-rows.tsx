import type { ReactNode } from 'react';

/** Shows which rows of a file were rejected, and why. */
export const RejectedRows = ({ rows }: { rows: readonly { line: number; error: string }[] }): ReactNode => (
  <table aria-label="Rejected rows" className="w-full">
    <thead>
      <tr className="text-left text-label text-dim">
        <th scope="col" className="w-16 font-normal">
          Line
        </th>
        <th scope="col" className="font-normal">
          Why
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ line, error }, index) => (
        <tr key={index} className="border-t border-line">
          <td className="py-1">{line}</td>
          <td className="py-1 break-words">{error}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
