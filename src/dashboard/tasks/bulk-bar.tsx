import { Tag as TagIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { TagChip } from '../tags/tag-chip.tsx';
import { useTags } from '../tags/use-tags.ts';
import { StartDialog } from '../tests/start-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { SelectedBar } from '../ui/selected-bar.tsx';
import { announce } from '../ui/status-line.tsx';

interface BulkBarProps {
  tasks: readonly Task[];
  onClear: () => void;
}

/** Runs, tags and verifies the selected tasks. */
export function BulkBar({ tasks, onClear }: BulkBarProps): ReactNode {
  const ids = tasks.map(({ id }) => id);
  const [isStarting, setStarting] = useState(false);
  const verify = useAction(['/v0/tasks'], async (api, unverified: readonly string[]) => {
    for (const id of unverified) {
      const path = { id };
      const { response, error } = await api.PUT('/v0/tasks/{id}', {
        params: { path },
        body: { isVerified: true },
      });
      if (!response.ok) return { error, response };
    }
    return { data: unverified.length, response: new Response() };
  });
  const unverified = tasks.filter(({ isVerified }) => !isVerified).map(({ id }) => id);
  const examples = Math.max(1, ...tasks.map(({ exampleCount }) => exampleCount));
  useShortcuts([
    { keys: 'Shift R', label: 'Run the selected tasks', group: 'This page', run: () => setStarting(true) },
  ]);
  return (
    <SelectedBar ids={ids} onClear={onClear}>
      <Button look="primary" keys="Shift R" onClick={() => setStarting(true)}>
        Run
      </Button>
      <TagMenu ids={ids} />
      <Button
        disabled={unverified.length === 0 || verify.isPending}
        onClick={() =>
          verify.mutate(unverified, {
            onSuccess: (count) => announce(count === 1 ? '1 task verified' : `${count} tasks verified`),
          })
        }
      >
        Mark as verified
      </Button>
      <ErrorLine error={verify.error} />
      {isStarting && (
        <StartDialog
          title="Run the tasks"
          taskIds={ids}
          suggested={examples}
          onClose={() => setStarting(false)}
        >
          Starts a run of{' '}
          {ids.length === 1 ? 'the selected task' : `each of the ${ids.length} selected tasks`}.{' '}
        </StartDialog>
      )}
    </SelectedBar>
  );
}

/** Adds a tag to tasks, or removes it from them. */
function TagMenu({ ids }: { ids: readonly string[] }): ReactNode {
  const tags = useTags();
  const change = useAction(['/v0'], (api, body: { addTagIds?: string[]; removeTagIds?: string[] }) =>
    api.POST('/v0/tasks/tags', { body: { taskIds: [...ids], ...body } }),
  );
  const menu = (
    name: string,
    choose: (id: string) => Parameters<typeof change.mutate>[0],
    done: string,
  ): ReactNode => (
    <Menu
      trigger={
        <Button
          disabled={tags.length === 0 || change.isPending}
          title={tags.length === 0 ? 'There is no tag yet' : undefined}
        >
          <TagIcon size={13} aria-hidden="true" />
          {name}
        </Button>
      }
    >
      {tags.map((tag) => (
        <MenuItem
          key={tag.id}
          onChoose={() =>
            change.mutate(choose(tag.id), { onSuccess: () => announce(`${done} “${tag.name}”`) })
          }
        >
          <TagChip tag={tag} />
        </MenuItem>
      ))}
    </Menu>
  );
  return (
    <>
      {menu('Add a tag', (id) => ({ addTagIds: [id] }), 'Added')}
      {menu('Remove a tag', (id) => ({ removeTagIds: [id] }), 'Removed')}
      <ErrorLine error={change.error} />
    </>
  );
}
