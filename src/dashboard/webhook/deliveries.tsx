import type { ReactNode } from 'react';
import type { ListedDelivery } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { formatDuration, formatMoment } from '../format/time.ts';
import { Choice } from '../ui/choice.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { Pager } from '../ui/pager.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { DeliveryOutcome, OUTCOME_NAMES } from './outcome.tsx';

const PAGE_SIZE = 50;
const LIVE_MS = 5_000;

interface DeliveriesState {
  outcome: string;
  kind: string;
  skip: string;
}

interface DeliveriesProps {
  state: DeliveriesState;
  onChange: (patch: Partial<DeliveriesState>) => void;
  /** The chosen delivery, beside the list. */
  children: ReactNode;
}

/** Lists everything that was sent to the webhook. */
export function DeliveryList({ state, onChange, children }: DeliveriesProps): ReactNode {
  const { outcome, kind, skip } = state;
  const query = {
    ...(outcome !== '' && { outcome: [outcome as 'answered'] }),
    ...(kind !== '' && { isSample: kind === 'samples' }),
    limit: PAGE_SIZE,
    skip: Number(skip) || 0,
  };
  const list = useApi('/v0/webhook/deliveries', { query }, { refresh: () => LIVE_MS, keepsRows: true });
  return (
    <>
      <div className="mb-2 flex gap-2">
        <Choice
          label="Result"
          value={outcome}
          choices={Object.entries(OUTCOME_NAMES)}
          onChoose={(next) => onChange({ outcome: next, skip: '0' })}
        />
        <Choice
          label="Kind"
          value={kind}
          choices={[
            ['tests', 'Tests'],
            ['samples', 'Samples'],
          ]}
          onChoose={(next) => onChange({ kind: next, skip: '0' })}
        />
      </div>
      {children}
      <div className="-mx-4">
        <Loaded of={list} isFlush>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Empty title={outcome === '' && kind === '' ? 'Nothing was sent yet' : 'No delivery matches'}>
                <p>Send a sample in Settings, or run a task.</p>
              </Empty>
            ) : (
              <>
                <DataTable
                  label="Deliveries"
                  rows={data}
                  columns={COLUMNS}
                  rowKey={({ id }) => id}
                  href={({ id }) => `/webhook?tab=deliveries&delivery=${id}`}
                />
                <Pager {...pagination} onSkip={(next) => onChange({ skip: String(next) })} />
              </>
            )
          }
        </Loaded>
      </div>
    </>
  );
}

const COLUMNS: readonly TableColumn<ListedDelivery>[] = [
  {
    id: 'sentAt',
    title: 'Sent',
    width: 'w-[112px]',
    cell: ({ sentAt }) => (
      <time dateTime={sentAt} title={sentAt}>
        {formatMoment(sentAt)}
      </time>
    ),
  },
  {
    id: 'result',
    title: 'Result',
    width: 'w-[120px]',
    cell: (delivery) => <DeliveryOutcome delivery={delivery} />,
  },
  {
    id: 'kind',
    title: 'Kind',
    width: 'w-[150px]',
    cell: ({ isSample, replayOf, attempt }) =>
      `${isSample ? 'Sample' : `Test, attempt ${attempt}`}${replayOf === null ? '' : ' (replay)'}`,
  },
  {
    id: 'message',
    title: 'What went wrong',
    cell: ({ message }) => message ?? <span className="text-dim">–</span>,
  },
  { id: 'url', title: 'URL', width: 'w-[26%]', cell: ({ url }) => <span title={url}>{url}</span> },
  {
    id: 'took',
    title: 'Took',
    width: 'w-[78px]',
    align: 'right',
    cell: ({ timings }) =>
      timings?.['totalMs'] === undefined ? (
        <span className="text-dim">–</span>
      ) : (
        formatDuration(timings['totalMs'])
      ),
  },
];
