import type { ReactNode } from 'react';
import type { ScrapeJob } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { actionsColumn, momentColumn, RowAction } from '../ui/cells.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { Empty } from '../ui/states.tsx';
import { DOCUMENT_TYPES, ScrapeBadge } from './words.tsx';

const DEFAULTS = { tab: 'documents', job: '', sort: '-createdAt', skip: '0' };
const LIVE_MS = 3_000;

const isOver = ({ status }: ScrapeJob): boolean => status === 'COMPLETED' || status === 'FAILED';

/** Lists the jobs that create documents from web sites; one can be opened below the list. */
export function ScrapeJobs(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const mayWrite = useScope('write');
  const query = pageOf<'createdAt'>(state);
  const list = useApi(
    '/v0/scrape-jobs',
    { query },
    { refresh: (answer) => !(answer?.data ?? []).every(isOver) && LIVE_MS, keepsRows: true },
  );
  const cancel = useAction(['/v0/scrape-jobs'], (api, id: string) =>
    api.POST('/v0/scrape-jobs/{id}/cancel', { params: { path: { id } } }),
  );
  return (
    <>
      <ErrorLine error={cancel.error} className="px-4 py-2" />
      <RecordList
        of={list}
        label="Scrape jobs"
        what="scrape job"
        columns={[
          ...COLUMNS,
          actionsColumn((job: ScrapeJob) => (
            <span className="flex justify-end gap-3">
              {mayWrite && !isOver(job) && (
                <RowAction isDanger of={job.name} onClick={() => cancel.mutate(job.id)}>
                  Cancel
                </RowAction>
              )}
              <RowAction of={job.name} onClick={() => change({ job: job.id })}>
                Pages
              </RowAction>
            </span>
          )),
        ]}
        state={state}
        onChange={change}
        onClear={undefined}
        empty={
          <Empty title="No scrape jobs yet">
            <p>
              A scrape job reads the pages of a web site and creates a document from each. Choose “From a web
              site” above.
            </p>
          </Empty>
        }
      />
      {state.job !== '' && <Pages id={state.job} onClose={() => change({ job: '' })} />}
    </>
  );
}

const COLUMNS: readonly TableColumn<ScrapeJob>[] = [
  {
    id: 'name',
    title: 'Name',
    isSortable: true,
    cell: ({ name }) => <span className="font-semibold">{name}</span>,
  },
  { id: 'url', title: 'Begins at', width: 'w-[30%]', cell: ({ url }) => <span title={url}>{url}</span> },
  { id: 'type', title: 'Type', width: 'w-[92px]', cell: ({ type }) => DOCUMENT_TYPES[type] },
  {
    id: 'status',
    title: 'State',
    width: 'w-[180px]',
    isSortable: true,
    cell: (job) => <ScrapeBadge job={job} />,
  },
  momentColumn('createdAt', 'Started', { isSortable: true }),
];

/** Lists the pages of one job: those with a document, and those that failed. */
function Pages({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const job = useApi(
    '/v0/scrape-jobs/{id}',
    { path: { id } },
    { refresh: (answer) => answer !== undefined && !isOver(answer.data) && LIVE_MS },
  );
  return (
    <Section
      title="Pages of the job"
      className="px-4 pt-4"
      actions={
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Loaded of={job}>
        {({ data: { reason, pages, failedPages } }) => (
          <>
            <p className="py-1 text-dim">
              {formatWhole(pages.length)} pages, {formatWhole(failedPages.length)} failed.{' '}
              {reason !== null && <strong className="text-fail">✕ {reason}</strong>}
            </p>
            <ul>
              {failedPages.map(({ url, error }) => (
                <li key={url} className="border-t border-line py-1 break-words">
                  <span className="text-fail" aria-hidden="true">
                    ✕{' '}
                  </span>
                  {url} <span className="text-dim">{error}</span>
                </li>
              ))}
              {pages.map(({ url, title }) => (
                <li key={url} className="border-t border-line py-1 break-words">
                  {title ?? url} <span className="text-dim">{title !== undefined && url}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}
