import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Pagination } from '../../api/generated/schema.ts';
import { type ListState, orderOf } from '../app/list-state.ts';
import { Button } from './button.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Pager, totalText } from './pager.tsx';
import { Loaded } from './panel.tsx';
import { Empty } from './states.tsx';

interface Page<Row> {
  data: readonly Row[];
  pagination: Pagination;
}

interface RecordListProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'rowKey' | 'sort' | 'onSort'> {
  of: Pick<UseQueryResult<Page<Row>>, 'data' | 'error' | 'isPlaceholderData' | 'isPending' | 'refetch'>;
  state: ListState;
  onChange: (patch: Partial<ListState>) => void;
  /** Name of one of its rows, such as `run`. */
  what: string;
  /** Removes all filters; undefined when none is set. */
  onClear: (() => void) | undefined;
  /** Shown while there is nothing at all. */
  empty: ReactNode;
}

/** Shows a page of a list: its rows, or why there are none and what to do next. */
export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>): ReactNode {
  const { of, state, onChange, what, onClear, empty, ...table } = props;
  return (
    <Loaded of={of} isFlush>
      {({ data, pagination }) => {
        if (data.length === 0 && pagination.total === 0)
          return onClear ? <NoMatch what={what} onClear={onClear} /> : empty;
        return (
          <>
            <DataTable
              {...table}
              rows={data}
              rowKey={({ id }) => id}
              {...tableSort(state.sort, (sort) => onChange({ sort, skip: '0' }))}
            />
            <Pager {...pagination} onSkip={(skip) => onChange({ skip: String(skip) })} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Returns the properties of a table whose titles sort it. */
export const tableSort = (
  sort: string,
  onSort: (sort: string) => void,
): Required<Pick<DataTableProps<never>, 'sort' | 'onSort'>> => {
  const { orderBy, orderDir } = orderOf(sort);
  return {
    sort: { by: orderBy, direction: orderDir },
    onSort: ({ by, direction }) => onSort(`${direction === 'desc' ? '-' : ''}${by}`),
  };
};

const NoMatch = ({ what, onClear }: { what: string; onClear: () => void }): ReactNode => (
  <Empty title={`No ${what} matches`}>
    <p>Records are shown if they match every filter. Remove one to see more.</p>
    <div>
      <Button onClick={onClear}>Clear the filters</Button>
    </div>
  </Empty>
);

/** Says how many rows all pages have, at the right of a bar. */
export function Total({
  of,
  what,
}: {
  of: Pick<UseQueryResult<Page<unknown>>, 'data'>;
  what: string;
}): ReactNode {
  if (of.data === undefined) return null;
  const { pagination } = of.data;
  const { total } = pagination;
  return (
    <span className="ml-auto shrink-0 py-1 text-dim">
      {totalText(pagination)} {total === 1 ? what : `${what}s`}
    </span>
  );
}
