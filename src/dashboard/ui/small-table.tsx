import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface SmallTableProps {
  /** Names the table to screen readers. */
  label: string;
  /** Titles of the columns, each with the classes of its head. */
  heads: readonly (readonly [title: ReactNode, className?: string])[];
  /** True if the heads have the widths of the columns, whatever the cells contain. */
  isFixed?: boolean;
  children: ReactNode;
}

/** A short table that is only read. */
export const SmallTable = ({ label, heads, isFixed = false, children }: SmallTableProps): ReactNode => (
  <table aria-label={label} className={classNames('w-full', isFixed && 'table-fixed')}>
    <thead>
      <tr className="text-left text-label text-dim">
        {heads.map(([title, className], index) => (
          <th key={index} scope="col" className={classNames('font-normal', className)}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);
