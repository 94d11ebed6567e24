import type { ReactNode } from 'react';
import type { Example } from '../../api/generated/schema.ts';
import { formatPercent, formatWhole } from '../format/number.ts';
import type { GroupRate } from '../reports/use-test-rates.ts';
import { Badge } from '../ui/badge.tsx';
import { actionsColumn, DASH, momentColumn, numberColumn } from '../ui/cells.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { MenuItem, RowMenu } from '../ui/menu.tsx';

/** Characters of a text that a row shows. */
const MAX_TEXT = 300;

export const columnsOf = (rates: ReadonlyMap<string, GroupRate>): readonly TableColumn<Example>[] => [
  {
    id: 'input',
    title: 'Input',
    cell: ({ input, status }) => (
      <>
        {brief(input)}
        {status === 'ARCHIVED' && <span className="text-dim"> (archived)</span>}
      </>
    ),
  },
  {
    id: 'expected',
    title: 'Expected output',
    width: 'w-[24%]',
    cell: ({ expected }) => (expected === null ? DASH : <span className="text-dim">{brief(expected)}</span>),
  },
  {
    id: 'split',
    title: 'Subset',
    width: 'w-[90px]',
    cell: ({ split }) => (split === null ? DASH : <Badge>{split}</Badge>),
  },
  {
    id: 'tags',
    title: 'Tags',
    width: 'w-[110px]',
    cell: ({ tags }) => (tags.length === 0 ? DASH : tags.join(', ')),
  },
  {
    id: 'result',
    title: 'Passed',
    width: 'w-[200px]',
    cell: ({ id }) => <ExampleResult rate={rates.get(id)} />,
  },
  numberColumn('version', 'Version', 'w-[70px]', ({ version }) => version),
  momentColumn('modifiedAt', 'Changed', { isSortable: true }),
];

interface RowActions {
  onDelete: (example: Example) => void;
  onRestore: (example: Example) => void;
  onMove: (example: Example, position: number) => void;
  /** Returns the place of the row above (-1) or below (1); undefined where none can be swapped. */
  placeBeside: (example: Example, by: 1 | -1) => number | undefined;
}

export const rowActions = ({ onDelete, onRestore, onMove, placeBeside }: RowActions): TableColumn<Example> =>
  actionsColumn((example) => {
    const [above, below] = [placeBeside(example, -1), placeBeside(example, 1)];
    return (
      <RowMenu of={`“${brief(example.input).slice(0, 60)}”`}>
        {example.status === 'ARCHIVED' ? (
          <MenuItem onChoose={() => onRestore(example)}>Restore</MenuItem>
        ) : (
          <>
            {above !== undefined && <MenuItem onChoose={() => onMove(example, above)}>Move up</MenuItem>}
            {below !== undefined && <MenuItem onChoose={() => onMove(example, below)}>Move down</MenuItem>}
            <MenuItem onChoose={() => onDelete(example)}>Delete</MenuItem>
          </>
        )}
      </RowMenu>
    );
  }, 'w-[72px]');

function ExampleResult({ rate }: { rate: GroupRate | undefined }): ReactNode {
  if (rate === undefined) return <span className="text-dim">not tested yet</span>;
  const { share, count, interval } = rate;
  return (
    <span className="flex items-center gap-2.5 pr-2">
      <span className="w-[84px] shrink-0">
        {formatPercent(share)} <span className="text-dim">of {formatWhole(count)}</span>
      </span>
      <span className="min-w-0 grow">
        <IntervalBar share={share} interval={interval} />
      </span>
    </span>
  );
}

/** Returns the beginning of a value of an example in one line. */
const brief = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_TEXT);
