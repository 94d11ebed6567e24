import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Document, ListedDocumentVersion, Pagination } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam, useUrlState } from '../app/url.tsx';
import { Badge } from '../ui/badge.tsx';
import { Moment } from '../ui/cells.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { TabLinks } from '../ui/tabs.tsx';
import { Chunks } from './chunks.tsx';
import { DocumentSettings } from './document-settings.tsx';
import { VersionActions } from './version-actions.tsx';
import { VersionContent } from './version-content.tsx';
import { DOCUMENT_TYPES, VersionBadge } from './words.tsx';

const DEFAULTS = { tab: 'content', to: '', from: '', skip: '0' };
const PAGE_SIZE = 50;

export function DocumentPage(): ReactNode {
  const id = usePathParam('documentId');
  const [{ tab, to, from, skip }, change] = useUrlState(DEFAULTS);
  const document = useApi('/v0/documents/{id}', { path: { id } });
  const query = { limit: PAGE_SIZE, skip: Number(skip) || 0, orderDir: 'desc' as const };
  const versions = useApi('/v0/documents/{id}/versions', { path: { id }, query }, { keepsRows: true });
  const loaded = document.data?.document;
  const newest = versions.data?.data[0]?.versionNumber;
  const shown = to === '' ? newest : Number(to);
  return (
    <Page
      title={loaded?.title ?? 'Document'}
      back="/documents"
      facts={loaded && <DocumentFacts document={loaded} />}
      actions={shown !== undefined && <VersionActions documentId={id} number={shown} />}
      bar={
        <TabLinks
          label="Document"
          current={tab}
          tabs={[
            { id: 'content', title: 'Content', href: `/documents/${id}` },
            { id: 'chunks', title: 'Chunks', href: `/documents/${id}?tab=chunks` },
            { id: 'settings', title: 'Settings', href: `/documents/${id}?tab=settings` },
          ]}
        />
      }
    >
      <Loaded of={document} isFlush>
        {(answer) =>
          tab === 'settings' ? (
            <DocumentSettings document={answer.document} />
          ) : tab === 'chunks' ? (
            <Chunks document={answer.document} />
          ) : (
            <Versions
              documentId={id}
              list={versions}
              shown={shown}
              from={from === '' ? undefined : Number(from)}
              onChange={change}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

interface VersionsProps {
  documentId: string;
  list: UseQueryResult<{ data: ListedDocumentVersion[]; pagination: Pagination }>;
  shown: number | undefined;
  /** Version that the shown one is compared with. */
  from: number | undefined;
  onChange: (patch: { skip?: string; from?: string }) => void;
}

function Versions({ documentId, list, shown, from, onChange }: VersionsProps): ReactNode {
  return (
    <div className="grid grid-cols-[220px_minmax(0,1fr)] gap-6 p-4 max-[900px]:grid-cols-1">
      <Section title="Versions">
        <Loaded of={list}>
          {({ data, pagination }) => (
            <>
              <VersionList documentId={documentId} versions={data} shown={shown} />
              <Pager {...pagination} onSkip={(skip) => onChange({ skip: String(skip) })} />
            </>
          )}
        </Loaded>
      </Section>
      {shown !== undefined && (
        <VersionContent
          documentId={documentId}
          to={shown}
          from={from}
          versions={list.data?.data ?? []}
          onFrom={(number) => onChange({ from: number })}
        />
      )}
    </div>
  );
}

const DocumentFacts = ({ document: { status, type, isVerified } }: { document: Document }): ReactNode => (
  <>
    <Badge tone={status === 'ACTIVE' ? 'pass' : 'plain'}>
      {status === 'ACTIVE' ? '✓ Active' : '○ Draft'}
    </Badge>
    <Badge>{DOCUMENT_TYPES[type]}</Badge>
    {isVerified && <Badge tone="pass">✓ Verified</Badge>}
  </>
);

interface VersionListProps {
  documentId: string;
  versions: readonly ListedDocumentVersion[];
  shown: number | undefined;
}

const VersionList = ({ documentId, versions, shown }: VersionListProps): ReactNode => (
  <ol>
    {versions.map(({ versionNumber, status, createdAt }) => (
      <li key={versionNumber}>
        <AppLink
          href={`/documents/${documentId}?to=${versionNumber}`}
          aria-current={versionNumber === shown ? 'true' : undefined}
          className="flex h-[34px] items-center gap-2 border-t border-line px-1 text-ink no-underline hover:bg-panel aria-[current]:bg-selection aria-[current]:font-semibold"
        >
          <span className="w-6 shrink-0 text-right">{versionNumber}</span>
          <VersionBadge status={status} />
          <span className="ml-auto font-normal">
            <Moment at={createdAt} />
          </span>
        </AppLink>
      </li>
    ))}
  </ol>
);
