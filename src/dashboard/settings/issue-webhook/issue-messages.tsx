import type { ReactNode } from 'react';
import type { IssueMessage } from '../../../api/generated/schema.ts';
import { useScope } from '../../api/session.ts';
import { useAction, useApi } from '../../api/use-api.ts';
import { useUrlState } from '../../app/url.tsx';
import { formatMoment } from '../../format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { actionsColumn, momentColumn, RowAction } from '../../ui/cells.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorLine } from '../../ui/error-panel.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Loaded, Section } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { announce } from '../../ui/status-line.tsx';
import type { TableColumn } from '../../ui/table-column.ts';

const PAGE_SIZE = 25;
const LIVE_MS = 3_000;
const DEFAULTS = { skip: '0' };

/** Lists what was sent to the webhook of issues. */
export function IssueMessages(): ReactNode {
  const [{ skip }, setState] = useUrlState(DEFAULTS);
  const isAdmin = useScope('admin');
  const query = { limit: PAGE_SIZE, skip: Number(skip) || 0 };
  const list = useApi('/v0/issue-webhook/messages', { query }, { refresh: () => LIVE_MS, keepsRows: true });
  const replay = useAction(['/v0/issue-webhook/messages'], (api, id: string) =>
    api.POST('/v0/issue-webhook/messages/{id}/replay', { params: { path: { id } } }),
  );
  const again = (id: string): void => replay.mutate(id, { onSuccess: () => announce('It is sent again') });
  return (
    <Section title="Messages">
      <ErrorLine error={replay.error} className="my-2" />
      <Loaded of={list}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title="Nothing was sent yet">
              <p>Send a test message, or wait until an issue changes.</p>
            </Empty>
          ) : (
            <>
              <DataTable
                label="Messages"
                rows={data}
                columns={isAdmin ? [...COLUMNS, replayColumn(again)] : COLUMNS}
                rowKey={({ id }) => id}
              />
              <Pager {...pagination} onSkip={(next) => setState({ skip: String(next) })} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

const COLUMNS: readonly TableColumn<IssueMessage>[] = [
  momentColumn('createdAt', 'Time'),
  { id: 'type', title: 'Message', width: 'w-[150px]', cell: ({ type }) => type },
  { id: 'status', title: 'Result', width: 'w-[130px]', cell: (message) => <Result message={message} /> },
  {
    id: 'error',
    title: 'What went wrong',
    cell: ({ error, nextAttemptAt, attempts }) =>
      error === null ? (
        <span className="text-dim">–</span>
      ) : (
        <span className="[overflow-wrap:anywhere] whitespace-normal">
          {error} Attempt {attempts}
          {nextAttemptAt === null ? '.' : `; the next one is at ${formatMoment(nextAttemptAt)}.`}
        </span>
      ),
  },
];

function Result({ message: { status, statusCode } }: { message: IssueMessage }): ReactNode {
  if (status === 'PENDING') return <Badge tone="accent">… Waiting</Badge>;
  if (status === 'DELIVERED') return <Badge tone="pass">✓ {statusCode}</Badge>;
  return <Badge tone="fail">✕ {statusCode ?? 'Not sent'}</Badge>;
}

const replayColumn = (again: (id: string) => void): TableColumn<IssueMessage> =>
  actionsColumn(({ id, type, status }) =>
    status === 'PENDING' ? null : (
      <RowAction of={type} onClick={() => again(id)}>
        Replay
      </RowAction>
    ),
  );
