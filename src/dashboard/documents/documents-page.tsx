import { type ReactNode, useState } from 'react';
import type { ListedDocument } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { useTopics, useTopicTitles } from '../topics/use-topics.ts';
import { Badge } from '../ui/badge.tsx';
import { DASH, momentColumn, titleColumn } from '../ui/cells.tsx';
import { Choice, choicesOf, withChosen } from '../ui/choice.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { Page } from '../ui/page.tsx';
import { RecordList, Total } from '../ui/record-list.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { Empty } from '../ui/states.tsx';
import { openTab, type TabLink, TabLinks } from '../ui/tabs.tsx';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { NewDocumentDialog } from './new-document-dialog.tsx';
import { ScrapeDialog } from './scrape-dialog.tsx';
import { ScrapeJobs } from './scrape-jobs.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { DOCUMENT_STATUSES, DOCUMENT_TYPES, VersionBadge } from './words.tsx';

const FILTERS = { search: '', type: '', topic: '', status: '', verified: '' };
const DEFAULTS = { tab: 'documents', ...FILTERS, sort: '-modifiedAt', skip: '0' };
const VERIFIED = [
  ['yes', 'verified'],
  ['no', 'not verified'],
] as const;
const TABS = [
  { id: 'documents', title: 'Documents', href: '/documents' },
  { id: 'scrape', title: 'Scrape jobs', href: '/documents?tab=scrape' },
] as const satisfies readonly TabLink[];

type Asked = 'new' | 'upload' | 'scrape';

export function DocumentsPage(): ReactNode {
  const [state] = useUrlState(DEFAULTS);
  const tab = openTab(TABS, state.tab);
  const [asked, setAsked] = useState<Asked | null>(null);
  const buttons = useWriteButtons([
    { title: 'From a web site', run: () => setAsked('scrape') },
    { title: 'Upload a file', keys: 'u', run: () => setAsked('upload') },
    { title: 'New document', keys: 'n', run: () => setAsked('new') },
  ]);
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
  const titles = useTopicTitles();
  const query = documentQuery(state);
  const list = useApi('/v0/documents', { query }, { keepsRows: true });
  const filter = (patch: Partial<typeof FILTERS>): void => change({ ...patch, skip: '0' });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <DocumentFilters filters={state} onChange={filter} />
        <Total of={list} what="document" />
      </div>
      <RecordList
        of={list}
        label="Documents"
        what="document"
        columns={columnsOf(titles)}
        href={({ id }) => `/documents/${id}`}
        state={state}
        onChange={change}
        onClear={hasFilter(state) ? () => filter(FILTERS) : undefined}
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

const hasFilter = (state: typeof FILTERS): boolean =>
  Object.keys(FILTERS).some((name) => state[name as keyof typeof FILTERS] !== '');

function documentQuery(state: typeof DEFAULTS) {
  const { search, type, topic, status, verified } = state;
  return {
    ...pageOf<'title'>(state),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(type !== '' && { type: [type as 'POLICY'] }),
    ...(topic !== '' && { topicId: [topic] }),
    ...(status !== '' && { status: [status as 'DRAFT'] }),
    ...(verified !== '' && { isVerified: verified === 'yes' }),
  };
}

interface DocumentFiltersProps {
  filters: typeof FILTERS;
  onChange: (patch: Partial<typeof FILTERS>) => void;
}

function DocumentFilters({ filters, onChange }: DocumentFiltersProps): ReactNode {
  const topics = useTopics().map(({ id, title }) => [id, title] as const);
  const choice = choicesOf(filters, onChange);
  return (
    <>
      <SearchBox label="Title" value={filters.search} onChange={(search) => onChange({ search })} />
      <Choice label="Type" choices={Object.entries(DOCUMENT_TYPES)} {...choice('type')} />
      <Choice label="Topic" choices={withChosen(topics, filters.topic)} {...choice('topic')} />
      <Choice label="Status" choices={Object.entries(DOCUMENT_STATUSES)} {...choice('status')} />
      <Choice label="Verified" choices={VERIFIED} {...choice('verified')} />
    </>
  );
}

const columnsOf = (topics: ReadonlyMap<string, string>): readonly TableColumn<ListedDocument>[] => [
  titleColumn('Title', { width: 'w-[22%]', isSortable: true }),
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
