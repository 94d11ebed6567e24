import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Loaded, Section } from '../ui/panel.tsx';

/** Shows how many traces wait for the verdict of a person. */
export function Waiting(): ReactNode {
  const queues = useApi('/v0/human-annotation-queues', { query: { limit: 100 } });
  return (
    <Section title="Waiting for people">
      <Loaded of={queues}>
        {({ data }) => {
          const open = data.filter(({ pendingCount }) => pendingCount > 0);
          return open.length === 0 ? (
            <p className="border-t border-line py-2 text-dim">Nothing waits for a review.</p>
          ) : (
            <ul>
              {open.map(({ id, title, pendingCount, completedCount }) => (
                <li key={id} className="flex h-[30px] items-center gap-3 border-t border-line">
                  <AppLink href={`/review/${id}`} className="grow truncate text-accent underline">
                    {title}
                  </AppLink>
                  <span className="shrink-0 text-dim">
                    <b className="font-semibold text-ink">{formatWhole(pendingCount)}</b> left of{' '}
                    {formatWhole(pendingCount + completedCount)}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}
