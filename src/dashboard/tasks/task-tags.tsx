import type { ReactNode } from 'react';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { TagChip } from '../tags/tag-chip.tsx';
import { useTags } from '../tags/use-tags.ts';
import { RowAction } from '../ui/cells.tsx';
import { Choice } from '../ui/choice.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Loaded, Section } from '../ui/panel.tsx';

/** Tags of one task that are shown. */
const MAX_TAGS = 100;

/** Shows the tags of a task, adds some and removes them. */
export function TaskTags({ taskId }: { taskId: string }): ReactNode {
  const mayWrite = useScope('write');
  const all = useTags();
  const tags = useApi('/v0/tasks/{id}/tags', {
    path: { id: taskId },
    query: { limit: MAX_TAGS, orderBy: 'name', orderDir: 'asc' },
  });
  const change = useAction(
    ['/v0/tags', '/v0/tasks'],
    (api, body: { addTagIds?: string[]; removeTagIds?: string[] }) =>
      api.POST('/v0/tasks/tags', { body: { taskIds: [taskId], ...body } }),
  );
  const had = new Set((tags.data?.data ?? []).map(({ id }) => id));
  const others = all.filter(({ id }) => !had.has(id)).map(({ id, name }) => [id, name] as const);
  return (
    <Section
      title="Tags"
      actions={
        mayWrite &&
        others.length > 0 && (
          <Choice
            label="Add a tag"
            anyText="Add a tag"
            value=""
            choices={others}
            onChoose={(id) => change.mutate({ addTagIds: [id] })}
          />
        )
      }
    >
      <ErrorLine error={change.error} />
      <Loaded of={tags}>
        {({ data }) =>
          data.length === 0 ? (
            <NoTags hasOthers={all.length > 0} />
          ) : (
            <ul>
              {data.map((tag) => (
                <li key={tag.id} className="flex h-[30px] items-center gap-3 border-t border-line">
                  <AppLink href={`/tasks?tag=${tag.id}`} className="min-w-0 grow text-ink hover:underline">
                    <TagChip tag={tag} />
                  </AppLink>
                  {mayWrite && (
                    <RowAction of={tag.name} onClick={() => change.mutate({ removeTagIds: [tag.id] })}>
                      Remove
                    </RowAction>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

const NoTags = ({ hasOthers }: { hasOthers: boolean }): ReactNode => (
  <p className="py-1 text-dim">
    The task has no tags.{' '}
    {!hasOthers && (
      <AppLink href="/tags" className="text-accent underline">
        Create the first one
      </AppLink>
    )}
  </p>
);
