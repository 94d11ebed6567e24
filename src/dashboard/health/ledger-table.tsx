import type { ReactNode } from 'react';
import { formatWhole } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { Pager } from '../ui/pager.tsx';
import type { LedgerRow } from './use-ledger.ts';

const PAGE_SIZE = 50;

interface LedgerTableProps {
  rows: readonly LedgerRow[];
  skip: number;
  onSkip: (skip: number) => void;
}

/** Shows the equation for each hour and key. */
export const LedgerTable = ({ rows, skip, onSkip }: LedgerTableProps): ReactNode => (
  <div className="-mx-4">
    <DataTable
      label="Ledger by hour and key"
      rows={rows.slice(skip, skip + PAGE_SIZE)}
      columns={COLUMNS}
      rowKey={({ hour, keyId }) => `${hour} ${keyId}`}
    />
    <Pager skip={skip} limit={PAGE_SIZE} total={rows.length} onSkip={onSkip} />
  </div>
);

type CountName = 'requests' | 'received' | 'stored' | 'duplicate' | 'replaced' | 'rejected';

const countColumn = (id: CountName, title: string): TableColumn<LedgerRow> => ({
  id,
  title,
  width: 'w-[92px]',
  align: 'right',
  cell: (row) =>
    row[id] === 0 ? (
      <span className="text-dim">0</span>
    ) : (
      <span className={id === 'rejected' ? 'font-semibold text-fail' : ''}>{formatWhole(row[id])}</span>
    ),
});

const COLUMNS: readonly TableColumn<LedgerRow>[] = [
  {
    id: 'hour',
    title: 'Hour',
    width: 'w-[120px]',
    cell: ({ hour }) => (
      <time dateTime={hour} title={hour}>
        {formatMoment(hour)}
      </time>
    ),
  },
  {
    id: 'key',
    title: 'API key',
    width: 'w-[130px]',
    cell: ({ keyId }) => <code className="font-mono text-label">{keyId}</code>,
  },
  countColumn('requests', 'Requests'),
  countColumn('received', 'Received'),
  countColumn('stored', 'Stored'),
  countColumn('duplicate', 'Duplicate'),
  countColumn('replaced', 'Replaced'),
  countColumn('rejected', 'Rejected'),
  {
    id: 'reasons',
    title: 'Reasons and notices',
    cell: ({ reasons, notices }) => {
      const text = Object.entries({ ...reasons, ...notices })
        .map(([name, count]) => `${name}: ${formatWhole(count)}`)
        .join(', ');
      return text === '' ? <span className="text-dim">–</span> : <span title={text}>{text}</span>;
    },
  },
];
