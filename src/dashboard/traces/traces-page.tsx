import { Columns3 } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { exporterLines, SOME_KEY } from '../app/exporter-lines.ts';
import { ApiError } from '../../api/client.ts';
import type { ListedTrace } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { ExampleDataNotice } from '../example-data/example-data-notice.tsx';
import { formatDuration } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { DataTable, type Sort } from '../ui/data-table.tsx';
import { Menu, MenuCheck } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { Pager, totalText } from '../ui/pager.tsx';
import { Loaded } from '../ui/panel.tsx';
import { CommandText, Empty } from '../ui/states.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import { DEFAULT_COLUMNS, LIST_COLUMNS } from './columns.tsx';
import type { TracesQuery } from './query.ts';
import { FilterLine } from '../filter/filter-line.tsx';
import { withTerm } from '../filter/line.ts';
import { NoFilterMatch } from '../filter/no-match.tsx';
import { FaultyFilter } from '../filter/faulty-filter.tsx';
import { SearchNote } from '../filter/search-note.tsx';
import { shownList, useFiltered } from '../filter/use-filtered.ts';
import { ExportTraces } from './export-traces.tsx';
import { LiveTail } from './live-tail.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useLiveList } from './use-live-list.ts';
import { useVerdicts } from './use-verdicts.ts';

const PAGE_SIZE = 50;
const DEFAULTS = { q: '', columns: DEFAULT_COLUMNS, sort: '-timestamp', skip: '0', live: '' };

export function TracesPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const replace = (patch: Partial<typeof DEFAULTS>): void => change(patch, { replace: true });
  const { list, applied, faults } = useFiltered('traces', state.q, (line, isEnabled) =>
    useTraces({ ...state, q: line }, isEnabled),
  );
  const query = queryOf(applied ?? '');
  const isNewestFirst = state.sort === DEFAULTS.sort && state.skip === '0';
  const live = useLiveList(list, query, isNewestFirst && state.live !== 'off' && applied !== null, PAGE_SIZE);
  const { rows } = live;
  const setLine = useCallback((q: string) => change({ q, skip: '0' }), [change]);
  return (
    <Page
      title="Traces"
      actions={
        <>
          <ViewsMenu screen="traces" state={state} defaults={DEFAULTS} onOpen={change} />
          <ColumnsMenu chosen={state.columns} onChange={(columns) => replace({ columns })} />
          <ExportTraces query={query} />
        </>
      }
      bar={
        <div className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
          <div className="min-w-0 grow basis-72">
            <FilterLine
              screen="traces"
              line={state.q}
              onChange={setLine}
              faults={faults}
              keepsList={applied !== null}
            />
          </div>
          {isNewestFirst && (
            <LiveTail
              isOn={state.live !== 'off'}
              live={live}
              onToggle={(isOn) => replace({ live: isOn ? '' : 'off' })}
            />
          )}
          {list.data && <Total {...list.data.pagination} />}
        </div>
      }
    >
      {applied === null && <FaultyFilter onClear={() => setLine('')} />}
      <SearchNote searched={list.data?.searched} line={state.q} onChange={setLine} />
      <Loaded
        of={shownList(list, faults.length > 0)}
        isFlush
        recourse={(error) => <LessToRead error={error} line={state.q} onChange={setLine} />}
      >
        {({ data, pagination }) =>
          data.length === 0 ? (
            state.q === '' ? (
              <NoTraces />
            ) : (
              <NoFilterMatch what="trace" path="/v0/traces" line={applied ?? ''} onChange={setLine} />
            )
          ) : (
            <>
              <TraceTable
                traces={rows}
                line={applied ?? ''}
                total={pagination.totalExceeded ? null : pagination.total}
                columns={state.columns}
                sort={state.sort}
                onSort={(sort) => change({ sort, skip: '0' })}
              />
              <Pager {...pagination} onSkip={(skip) => change({ skip: String(skip) })} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

interface LessToReadProps {
  error: unknown;
  line: string;
  onChange: (line: string) => void;
}

/** Offers a shorter time to a list that took too long. */
const LessToRead = ({ error, line, onChange }: LessToReadProps): ReactNode =>
  error instanceof ApiError && error.status === 503 ? (
    <Button onClick={() => onChange(withLastDay(line))}>Only the last 24 hours</Button>
  ) : null;

const queryOf = (line: string): TracesQuery => (line === '' ? {} : { q: line });

function useTraces({ q, sort, skip }: typeof DEFAULTS, enabled: boolean) {
  const [, sign, by] = /^(-?)(\w+)$/.exec(sort) ?? [];
  const page = {
    ...queryOf(q),
    limit: PAGE_SIZE,
    skip: Number(skip) || 0,
    orderBy: by as NonNullable<TracesQuery['orderBy']>,
    orderDir: sign === '-' ? ('desc' as const) : ('asc' as const),
  };
  return useApi('/v0/traces', { query: page }, { keepsRows: true, enabled });
}

interface TraceTableProps {
  traces: readonly ListedTrace[];
  line: string;
  total: number | null;
  columns: string;
  sort: string;
  onSort: (sort: string) => void;
}

function TraceTable({ traces, line, total, columns, sort, onSort }: TraceTableProps): ReactNode {
  const [byHand, setByHand] = useState<ReadonlySet<string>>(new Set());
  const [matching, setMatching] = useState<string | null>(null);
  const ids = useMemo(() => traces.map(({ id }) => id), [traces]);
  const isAll = matching === line;
  const selected = isAll ? new Set(ids) : byHand;
  const setSelected = (next: ReadonlySet<string>): void => {
    setMatching(null);
    setByHand(next);
  };
  const verdicts = useVerdicts(ids);
  const context = { verdicts, longestMs: Math.max(...traces.map(({ durationMs }) => durationMs)) };
  const names = columns.split(',');
  const shown = LIST_COLUMNS.filter(({ id }) => names.includes(id)).map(({ cell, ...column }) => ({
    ...column,
    ...(column.id === 'name' && areEqual(traces.map(({ rootName }) => rootName)) && { width: 'w-[160px]' }),
    ...(column.id === 'bar' && { title: `0 – ${formatDuration(context.longestMs)}` }),
    cell: (trace: ListedTrace) => cell(trace, context),
  }));
  const order: Sort = { by: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' };
  return (
    <>
      {selected.size > 0 && (
        <SelectionBar
          selected={selected}
          line={line}
          total={total}
          isAll={isAll}
          onSelectAll={() => setMatching(line)}
          onClear={() => setSelected(new Set())}
        />
      )}
      <DataTable
        label="Traces"
        rows={traces}
        columns={shown}
        rowKey={({ id }) => id}
        href={({ id }) => `/traces/${id}`}
        sort={order}
        onSort={({ by, direction }) => onSort(`${direction === 'desc' ? '-' : ''}${by}`)}
        selected={selected}
        onSelect={setSelected}
      />
    </>
  );
}

const areEqual = (names: readonly string[]): boolean => new Set(names).size <= 1;

function ColumnsMenu({
  chosen,
  onChange,
}: {
  chosen: string;
  onChange: (columns: string) => void;
}): ReactNode {
  const names = new Set(chosen.split(','));
  const toggle = (id: string, isOn: boolean): void =>
    onChange(
      LIST_COLUMNS.map((column) => column.id)
        .filter((other) => (other === id ? isOn : names.has(other)))
        .join(','),
    );
  return (
    <Menu
      trigger={
        <Button>
          <Columns3 size={13} aria-hidden="true" />
          Columns
        </Button>
      }
    >
      {LIST_COLUMNS.map(({ id, title }) => (
        <MenuCheck key={id} isOn={names.has(id)} onChange={(isOn) => toggle(id, isOn)}>
          {title}
        </MenuCheck>
      ))}
    </Menu>
  );
}

const Total = ({ total, totalExceeded }: { total: number; totalExceeded?: true }): ReactNode => (
  <span className="shrink-0 py-1 text-dim">
    {totalText({ total, totalExceeded })} {total === 1 ? 'trace' : 'traces'}
  </span>
);

function NoTraces(): ReactNode {
  const { application } = useSession();
  return (
    <Empty title="No traces yet">
      <p>Send spans from any OpenTelemetry SDK. These variables are all that its exporter needs:</p>
      <CommandText label="Variables of the exporter" text={exporterLines(application.id, SOME_KEY)} />
      <p>
        Create the key in{' '}
        <AppLink href="/settings?tab=keys" className="text-accent underline">
          Settings
        </AppLink>
        , with the scope ingest. The first trace appears here within a second.
      </p>
      <ExampleDataNotice isEmpty />
    </Empty>
  );
}

const withLastDay = (line: string): string => withTerm(line, 'last:24h', ['last', 'from']);
