import type { ReactNode } from 'react';
import type { Document } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Pager } from '../ui/pager.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';

const DEFAULTS = { tab: 'content', skip: '0' };
const PAGE_SIZE = 50;

/** Shows the pieces that an approved document is split into. */
export function Chunks({ document: { id, type, status } }: { document: Document }): ReactNode {
  const [{ skip }, change] = useUrlState(DEFAULTS);
  const query = { documentId: [id], type: [type], limit: PAGE_SIZE, skip: Number(skip) || 0 };
  const chunks = useApi('/v0/documents/chunked', { query }, { keepsRows: true });
  return (
    <Loaded of={chunks} isFlush>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <Empty title="No chunks">
            <p>
              {status === 'ACTIVE'
                ? 'The approved version has no text.'
                : 'Only active documents are divided into chunks. Approve a version, and make the document active in its settings.'}
            </p>
          </Empty>
        ) : (
          <>
            <ol className="px-4 py-3">
              {data.map(({ index, text, start, end }) => (
                <li
                  key={index}
                  className="grid grid-cols-[48px_minmax(0,75ch)_minmax(0,1fr)] gap-4 border-t border-line py-2"
                >
                  <span className="text-right text-dim">{index + 1}</span>
                  <p className="text-reading break-words whitespace-pre-wrap">{text}</p>
                  <span className="text-label text-dim">
                    {formatWhole(start)} to {formatWhole(end)}
                  </span>
                </li>
              ))}
            </ol>
            <Pager {...pagination} onSkip={(next) => change({ skip: String(next) })} />
          </>
        )
      }
    </Loaded>
  );
}
