import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useLacksWebhook } from '../webhook/use-webhook.ts';
import { NoWebhook } from './no-webhook.tsx';
import { announce } from '../ui/status-line.tsx';

/** Most tests of each task that one trigger starts. */
const MAX_REPEAT = 100;

interface StartDialogProps {
  title: string;
  /** Tasks to start, at most 100. */
  taskIds: readonly string[];
  /** Number of tests of each task that is suggested. */
  suggested: number;
  /** Id of the example to test; null for all of them in turn. */
  exampleId?: string | null;
  /** True to test every example of the tasks as often as the person says. */
  takesAllExamples?: boolean;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks how many tests to start, starts them, and opens the test, the run or the list of runs that came of it. */
export function StartDialog(props: StartDialogProps): ReactNode {
  const { title, taskIds, suggested, exampleId = null, takesAllExamples = false, onClose, children } = props;
  const open = useOpen();
  const [count, setCount] = useState(String(Math.min(Math.max(suggested, 1), MAX_REPEAT)));
  const run = useAction(['/v0'], (api, repeat: number) =>
    api.POST('/v0/tasks/trigger', {
      params: { header: { prefer: 'return=representation' } },
      body: {
        taskIds: [...taskIds],
        repeat,
        ...(exampleId !== null && { examples: { ids: [exampleId] } }),
        ...(takesAllExamples && { examples: {} }),
      },
    }),
  );
  const lacksWebhook = useLacksWebhook();
  const repeat = Number(count);
  const isValid = Number.isInteger(repeat) && repeat >= 1 && repeat <= MAX_REPEAT;
  const start = (): void => {
    if (!isValid || lacksWebhook) return;
    run.mutate(repeat, {
      onSuccess: (started) => {
        const runs = started?.data ?? [];
        const tests = runs.flatMap(({ testIds }) => testIds);
        announce(tests.length === 1 ? 'A test was started' : `${tests.length} tests were started`);
        onClose();
        const [first] = runs;
        if (tests.length === 1) open(`/tests/${tests[0]}`);
        else if (runs.length === 1 && first) open(`/runs/${first.runId}`);
        else open('/runs');
      },
    });
  };
  return (
    <AskDialog
      title={title}
      action={title}
      isBusy={run.isPending || !isValid || lacksWebhook}
      error={run.error}
      onConfirm={start}
      onClose={onClose}
    >
      {lacksWebhook && <NoWebhook />}
      <p className="text-dim">
        {children}
        {exampleId === null && !takesAllExamples && 'Examples are taken in turn, from the first one on.'}
      </p>
      <TextField
        label={takesAllExamples ? 'Tests per example' : taskIds.length === 1 ? 'Tests' : 'Tests of each task'}
        type="number"
        min={1}
        max={MAX_REPEAT}
        value={count}
        onChange={(event) => setCount(event.target.value)}
        problem={isValid ? undefined : `must be a whole number from 1 to ${MAX_REPEAT}`}
      />
    </AskDialog>
  );
}
