import { type ReactNode, useState } from 'react';
import type { ListedDocument } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { useUrlState } from '../app/url.tsx';
import { useTopics, useTopicTitles } from '../topics/use-topics.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DASH, momentColumn } from '../ui/cells.tsx';
import { Choice, withChosen } from '../ui/choice.tsx';
import type { Column } from '../ui/data-table.tsx';
import { Page } from '../ui/page.tsx';
import { RecordList, Total } from '../ui/record-list.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { Empty } from '../ui/states.tsx';
import { TabLinks } from '../ui/tabs.tsx';
import { NewDocumentDialog } from './new-document-dialog.tsx';
import { ScrapeDialog } from './scrape-dialog.tsx';
import { ScrapeJobs } from './scrape-jobs.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { DOCUMENT_STATUSES, DOCUMENT_TYPES, VersionBadge } from './words.tsx';

const FILTERS = { search: '', type: '', topic: '', status: '', verified: '' };
const DEFAULTS = { tab: 'documents', ...FILTERS, sort: '-modifiedAt', skip: '0' };
const TABS = [
  { id: 'documents', title: 'Documents', href: '/documents' },
  { id: 'scrape', title: 'Scrape jobs', href: '/documents?tab=scrape' },
];

type Asked = 'new' | 'upload' | 'scrape';

export function DocumentsPage(): ReactNode {
  const [{ tab }] = useUrlState(DEFAULTS);
  const mayWrite = useScope('write');
  const [asked, setAsked] = useState<Asked | null>(null);
  const group = 'This page';
  useShortcuts(
    mayWrite
      ? [
          { keys: 'n', label: 'New document', group, run: () => setAsked('new') },
          { keys: 'u', label: 'Upload a file', group, run: () => setAsked('upload') },
        ]
      : [],
  );
  const buttons = mayWrite && (
    <>
      <Button onClick={() => setAsked('scrape')}>From a web site</Button>
      <Button keys="u" onClick={() => setAsked('upload')}>
        Upload a file
      </Button>
      <Button look="primary" keys="n" onClick={() => setAsked('new')}>
        New document
      </Button>
    </>
  );
  const close = (): void => setAsked(null);
  return (
    <Page title="Documents" actions={buttons} bar={<TabLinks label="Documents" tabs={TABS} current={tab} />}>
      {tab === 'scrape' ? <ScrapeJobs /> : <DocumentList buttons={buttons} />}
      {asked === 'new' && <NewDocumentDialog onClose={close} />}
      {asked === 'upload' && <UploadDialog onClose={close} />}
      {asked === 'scrape' && <ScrapeDialog onClose={close} />}
    </Page>
  );
}

function DocumentList({ buttons }: { buttons: ReactNode }): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const topics = useTopics();
  const titles = useTopicTitles();
  const { search, type, topic, status, verified } = state;
  const query = {
    ...pageOf<'title'>(state),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(type !== '' && { type: [type as 'POLICY'] }),
    ...(topic !== '' && { topicId: [topic] }),
    ...(status !== '' && { status: [status as 'DRAFT'] }),
    ...(verified !== '' && { isVerified: verified === 'yes' }),
  };
  const list = useApi(['documents', query], (api, signal) =>
    api.GET('/v0/documents', { params: { query }, signal }),
  );
  const filter = (patch: Partial<typeof FILTERS>): void => change({ ...patch, skip: '0' });
  const isFiltered = [search, type, topic, status, verified].some((value) => value !== '');
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <SearchBox label="Title" value={search} onChange={(text) => filter({ search: text })} />
        <Choice
          label="Type"
          value={type}
          choices={Object.entries(DOCUMENT_TYPES)}
          onChoose={(next) => filter({ type: next })}
        />
        <Choice
          label="Topic"
          value={topic}
          choices={withChosen(
            topics.map(({ id, title }) => [id, title] as const),
            topic,
          )}
          onChoose={(next) => filter({ topic: next })}
        />
        <Choice
          label="Status"
          value={status}
          choices={Object.entries(DOCUMENT_STATUSES)}
          onChoose={(next) => filter({ status: next })}
        />
        <Choice
          label="Verified"
          value={verified}
          choices={[
            ['yes', 'verified'],
            ['no', 'not verified'],
          ]}
          onChoose={(next) => filter({ verified: next })}
        />
        <Total of={list} what="document" />
      </div>
      <RecordList
        of={list}
        label="Documents"
        what="document"
        columns={columnsOf(titles)}
        rowKey={({ id }) => id}
        href={({ id }) => `/documents/${id}`}
        state={state}
        onChange={change}
        onClear={isFiltered ? () => filter(FILTERS) : undefined}
        empty={
          <Empty title="No documents yet">
            <p>
              Documents hold what your app should know, and the policies that its answers must follow. Upload
              text, Markdown or a CSV file, or take the pages of a web site.
            </p>
            <div className="flex flex-wrap gap-2">{buttons}</div>
          </Empty>
        }
      />
    </>
  );
}

const columnsOf = (topics: ReadonlyMap<string, string>): readonly Column<ListedDocument>[] => [
  {
    id: 'title',
    title: 'Title',
    width: 'w-[22%]',
    isSortable: true,
    cell: ({ title }) => (
      <span className="font-semibold" title={title}>
        {title}
      </span>
    ),
  },
  {
    id: 'content',
    title: 'Content',
    cell: ({ content }) => <span className="text-dim">{content.slice(0, 200)}</span>,
  },
  {
    id: 'type',
    title: 'Type',
    width: 'w-[92px]',
    isSortable: true,
    cell: ({ type }) => DOCUMENT_TYPES[type],
  },
  {
    id: 'topic',
    title: 'Topic',
    width: 'w-[12%]',
    cell: ({ topicId }) => (topicId === null ? DASH : (topics.get(topicId) ?? topicId.slice(0, 8))),
  },
  {
    id: 'version',
    title: 'Newest version',
    width: 'w-[144px]',
    cell: ({ versions: [newest] }) =>
      newest === undefined ? (
        DASH
      ) : (
        <span className="inline-flex items-center gap-2">
          {newest.versionNumber} <VersionBadge status={newest.status} />
        </span>
      ),
  },
  {
    id: 'verified',
    title: 'Verified',
    width: 'w-[96px]',
    cell: ({ isVerified }) => (isVerified ? <Badge tone="pass">✓ Verified</Badge> : DASH),
  },
  { id: 'assignee', title: 'Assigned to', width: 'w-[9%]', cell: ({ assignee }) => assignee ?? DASH },
  momentColumn('modifiedAt', 'Changed', { isSortable: true }),
];
