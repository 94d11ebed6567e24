import { type ReactNode, useState } from 'react';
import { useScope } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Section } from '../ui/panel.tsx';
import { ExampleDataNotice } from './example-data-notice.tsx';
import { useExampleData } from './use-example-data.ts';

/** Shows and removes the example data of the application; empty without such data. */
export function ExampleDataSection(): ReactNode {
  const { state, remove } = useExampleData();
  const isAdmin = useScope('admin');
  const [isAsked, setAsked] = useState(false);
  if (!state || state.status === 'NONE') return null;
  const canRemove = state.status === 'READY' || state.status === 'FAILED';
  return (
    <Section title="Example data" className="max-w-[620px] p-4">
      {canRemove ? (
        <>
          <p className="text-dim">
            {state.failure ??
              'Loaded into this application, which was empty: traces, tasks with tests, evaluators, an experiment and a queue.'}
          </p>
          {isAdmin && (
            <div className="mt-3">
              <Button look="danger" onClick={() => setAsked(true)}>
                Remove the example data
              </Button>
            </div>
          )}
        </>
      ) : (
        <ExampleDataNotice isEmpty={false} />
      )}
      <Confirm
        isOpen={isAsked}
        title="Remove the example data?"
        action="Remove the example data"
        isBusy={remove.isPending}
        error={remove.error}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setAsked(false) })}
      >
        Exactly the records that loading made are deleted, with the tests of its tasks. Records of your own
        stay.
      </Confirm>
    </Section>
  );
}
