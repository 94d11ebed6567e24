import { ListPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiClient, Call } from '../api/client.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { SelectedBar } from '../ui/selected-bar.tsx';
import { announce } from '../ui/status-line.tsx';

interface SelectionBarProps {
  selected: ReadonlySet<string>;
  onClear: () => void;
}

/** Says how many traces are selected, and what can be done with them. */
export function SelectionBar({ selected, onClear }: SelectionBarProps): ReactNode {
  const canWrite = useScope('write');
  const ids = [...selected];
  const open = useOpen();
  const [a, b] = ids;
  return (
    <SelectedBar ids={ids} onClear={onClear}>
      {ids.length === 2 && <Button onClick={() => open(`/compare?a=${a}&b=${b}`)}>Compare</Button>}
      {canWrite && <QueueMenu ids={ids} onDone={onClear} />}
    </SelectedBar>
  );
}

/** Chooses the queue of people that the traces are added to. */
function QueueMenu({ ids, onDone }: { ids: readonly string[]; onDone: () => void }): ReactNode {
  const queues = useApi('/v0/human-annotation-queues', { query: { limit: 100 } });
  const add = useAction(['/v0/human-annotation-queues'], (api, queueId: string) => addAll(api, queueId, ids));
  const list = queues.data?.data ?? [];
  return (
    <>
      <Menu
        trigger={
          <Button
            disabled={list.length === 0 || add.isPending}
            title={list.length === 0 ? 'There is no queue yet' : undefined}
          >
            <ListPlus size={13} aria-hidden="true" />
            Add to a queue
          </Button>
        }
      >
        {list.map(({ id, title }) => (
          <MenuItem
            key={id}
            onChoose={() =>
              add.mutate(id, {
                onSuccess: () => {
                  announce(`Added to “${title}”`);
                  onDone();
                },
              })
            }
          >
            {title}
          </MenuItem>
        ))}
      </Menu>
      <ErrorLine error={add.error} />
    </>
  );
}

/** Adds traces to a queue, one call each. Those that are in the queue already stay as they are. */
async function addAll(api: ApiClient, queueId: string, ids: readonly string[]): Call<number> {
  for (const traceId of ids) {
    const body = { queueId, traceId, selection: 'MANUAL' as const };
    const { response, error } = await api.POST('/v0/human-annotation-queue-items', { body });
    if (!response.ok && response.status !== 409) return { error, response };
  }
  return { data: ids.length, response: new Response() };
}
