import type { ReactNode } from 'react';
import type { ListedDocument, ListedDocumentVersion, ScrapeJob } from '../../api/generated/schema.ts';
import { Badge } from '../ui/badge.tsx';

export type DocumentType = ListedDocument['type'];

export const DOCUMENT_TYPES: Readonly<Record<DocumentType, string>> = {
  KNOWLEDGE: 'Knowledge',
  POLICY: 'Policy',
};

export const DOCUMENT_STATUSES: Readonly<Record<ListedDocument['status'], string>> = {
  ACTIVE: 'Active',
  DRAFT: 'Draft',
};

const SCRAPE_STATUSES: Readonly<Record<ScrapeJob['status'], string>> = {
  MAPPING: 'Looking for pages',
  PENDING: 'Waiting for its turn',
  IN_PROGRESS: 'Fetching pages',
  COMPLETED: 'Done',
  FAILED: 'Failed',
};

/** Shows how far a version is on its way to approval. */
export function VersionBadge({ status }: { status: ListedDocumentVersion['status'] }): ReactNode {
  if (status === 'APPROVED') return <Badge tone="pass">✓ Approved</Badge>;
  if (status === 'REVIEW') return <Badge tone="doubt">? In review</Badge>;
  return <Badge>{status === 'DRAFT' ? '○ Draft' : '– Archived'}</Badge>;
}

/** Shows how far a scrape job is. */
export function ScrapeBadge({
  job: { status, reason },
}: {
  job: Pick<ScrapeJob, 'status' | 'reason'>;
}): ReactNode {
  if (status === 'COMPLETED') return <Badge tone="pass">✓ {SCRAPE_STATUSES[status]}</Badge>;
  if (status === 'FAILED')
    return (
      <Badge tone="fail" title={reason ?? ''}>
        ✕ {SCRAPE_STATUSES[status]}
      </Badge>
    );
  return <Badge tone="accent">… {SCRAPE_STATUSES[status]}</Badge>;
}
