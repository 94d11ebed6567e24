import type { ReactNode } from 'react';
import type { Tag } from '../../api/generated/schema.ts';

/** Shows a tag by its name, beside its colour. */
export const TagChip = ({ tag: { name, color, status } }: { tag: Tag }): ReactNode => (
  <span className="inline-flex max-w-full items-center gap-1.5 align-middle">
    <span
      aria-hidden="true"
      className="size-2.5 shrink-0 rounded-full border border-edge"
      style={{ backgroundColor: color }}
    />
    <span className="truncate">{name}</span>
    {status === 'ARCHIVED' && <span className="text-dim">(archived)</span>}
  </span>
);
