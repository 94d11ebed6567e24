import { type ReactNode, useMemo } from 'react';
import type { Session } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { formatCount, formatMoney, formatWhole } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { PERIODS, periodStart } from '../tests/test-query.ts';
import { useVerdicts, type VerdictCount } from '../traces/use-verdicts.ts';
import { Verdicts } from '../traces/verdicts.tsx';
import { Button } from '../ui/button.tsx';
import { DASH, momentColumn, numberColumn } from '../ui/cells.tsx';
import { Choice } from '../ui/choice.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { ListPage } from '../ui/list-page.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { CommandText, Empty } from '../ui/states.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import { CONVERSATION } from './conversation-verdicts.tsx';
import { FilterLine } from '../filter/filter-line.tsx';
import { shownList, useFiltered } from '../filter/use-filtered.ts';
import { conversationHref } from './href.ts';

const FILTERS = { q: '', search: '', user: '', last: '' };
const DEFAULTS = { ...FILTERS, sort: '-lastAt', skip: '0' };

export function ConversationsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const { q, search, user, last } = state;
  const startDate = periodStart(last, Date.now());
  const query = {
    ...pageOf<'lastAt'>(state),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(user !== '' && { userId: [user] }),
    ...(startDate !== undefined && { startDate }),
  };
  const { list, applied, faults } = useFiltered('sessions', q, (line, enabled) =>
    useApi(
      '/v0/sessions',
      { query: { ...query, ...(line !== '' && { q: line }) } },
      { keepsRows: true, enabled },
    ),
  );
  const sessions = list.data?.data;
  const lastTraceIds = useMemo(() => (sessions ?? []).map(({ lastTraceId }) => lastTraceId), [sessions]);
  const verdicts = useVerdicts(lastTraceIds, CONVERSATION);
  const filter = (patch: Partial<typeof FILTERS>): void => change({ ...patch, skip: '0' });
  const isFiltered = q !== '' || search !== '' || user !== '' || last !== '';
  return (
    <ListPage
      title="Conversations"
      actions={<ViewsMenu screen="sessions" state={state} defaults={DEFAULTS} onOpen={change} />}
      filters={
        <>
          <div className="w-full min-w-0">
            <FilterLine
              screen="sessions"
              line={q}
              onChange={(next) => filter({ q: next })}
              faults={faults}
              keepsList={applied !== null}
            />
          </div>
          <SearchBox
            label="Id of the conversation"
            value={search}
            onChange={(text) => filter({ search: text })}
          />
          <Choice
            label="Active"
            value={last}
            choices={Object.entries(PERIODS).map(([value, { name }]) => [value, name] as const)}
            onChoose={(next) => filter({ last: next })}
          />
          {user !== '' && (
            <Button onClick={() => filter({ user: '' })}>
              user {user} <span aria-hidden="true">×</span>
              <span className="sr-only">Remove</span>
            </Button>
          )}
        </>
      }
      of={shownList(list, faults.length > 0)}
      what="conversation"
      columns={columnsOf(verdicts, (id) => filter({ user: id }))}
      href={({ id }) => conversationHref(id)}
      state={state}
      onChange={change}
      onClear={isFiltered ? () => filter(FILTERS) : undefined}
      empty={
        <Empty title="No conversations yet">
          <p>
            All traces with the same value of this attribute are a conversation. Set it on the first span of
            each turn, as your SDK allows:
          </p>
          <CommandText text={'span.set_attribute("session.id", conversation_id)'} label="Attribute" />
        </Empty>
      }
    />
  );
}

const columnsOf = (
  verdicts: ReadonlyMap<string, VerdictCount>,
  onUser: (id: string) => void,
): readonly TableColumn<Session>[] => [
  { ...momentColumn('lastAt', 'Last turn', { isSortable: true }) },
  {
    id: 'id',
    title: 'Conversation',
    width: 'w-[14%]',
    cell: ({ id, errorCount }) => (
      <span className="font-semibold" title={id}>
        {errorCount > 0 && (
          <span className="text-fail">
            <span aria-hidden="true">✕ </span>
            <span className="sr-only">{errorCount} turns with errors:</span>
          </span>
        )}
        {id}
      </span>
    ),
  },
  { id: 'input', title: 'First input', cell: ({ input }) => input ?? DASH },
  { id: 'output', title: 'Last output', cell: ({ output }) => output ?? DASH },
  {
    id: 'user',
    title: 'User',
    width: 'w-[10%]',
    cell: ({ userIds }) =>
      userIds.length === 0
        ? DASH
        : userIds.map((id) => (
            <button
              key={id}
              type="button"
              className="cursor-pointer pr-2 hover:underline"
              title={`Conversations of ${id}`}
              onClick={() => onUser(id)}
            >
              {id}
            </button>
          )),
  },
  {
    id: 'verdict',
    title: 'Verdict',
    width: 'w-[92px]',
    cell: ({ lastTraceId }) => <Verdicts count={verdicts.get(lastTraceId)} />,
  },
  numberColumn('turns', 'Turns', 'w-[58px]', ({ traceCount }) => formatWhole(traceCount)),
  numberColumn('duration', 'Duration', 'w-[78px]', ({ durationMs }) => formatDuration(durationMs)),
  numberColumn('tokens', 'Tokens', 'w-[76px]', ({ usage: { totalTokens } }) =>
    totalTokens > 0 ? formatCount(totalTokens) : DASH,
  ),
  numberColumn('cost', 'Cost', 'w-[86px]', ({ cost }) => (cost === null ? DASH : formatMoney(cost))),
];
