import { type ReactNode, useState } from 'react';
import type { MakeTraceExampleBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { exampleHref } from '../examples/example-link.ts';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { SelectField, TextArea } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';

const EXPECTATIONS = [
  ['output', 'The output of this trace: it was right'],
  ['text', 'Another one: I write it'],
  ['none', 'None'],
] as const;
type Expectation = (typeof EXPECTATIONS)[number][0];

/** Returns a call that makes an example of a trace and opens it. */
function useMakeExample(traceId: string, onClose: () => void) {
  const open = useOpen();
  const { mutate, isPending, error } = useAction(['/v0/tasks'], (api, body: MakeTraceExampleBody) =>
    api.POST('/v0/traces/{id}/example', { params: { path: { id: traceId } }, body }),
  );
  const run = (body: MakeTraceExampleBody): void =>
    mutate(body, {
      onSuccess: ({ data }) => {
        announce('Example made');
        onClose();
        open(exampleHref(data.taskId, data.id));
      },
    });
  return { run, isPending, error };
}

/** Makes an example of a trace: its input becomes the prompt of tests. Opens the example. */
export function MakeExampleDialog({ traceId, onClose }: { traceId: string; onClose: () => void }): ReactNode {
  const tasks = useTaskTitles();
  const [taskId, setTaskId] = useState('');
  const [expectation, setExpectation] = useState<Expectation>('output');
  const [text, setText] = useState('');
  const make = useMakeExample(traceId, onClose);
  const body = {
    ...(taskId !== '' && { taskId }),
    useOutput: expectation === 'output',
    ...(expectation === 'text' && { expected: text }),
  };
  return (
    <AskDialog
      title="Make an example of this trace"
      action="Make an example"
      isBusy={make.isPending || (expectation === 'text' && text.trim() === '')}
      error={make.error}
      onConfirm={() => make.run(body)}
      onClose={onClose}
    >
      <p className="text-dim">
        The input of the trace becomes the prompt of tests, so that your app is asked the same again. The same
        trace gives the same example, however often you do this.
      </p>
      <SelectField
        label="Task"
        value={taskId}
        choices={[['', 'A new task for this trace'], ...tasks]}
        onChange={({ target }) => setTaskId(target.value)}
      />
      <SelectField
        label="Expected output"
        help="Evaluators compare the answer of a test with it."
        value={expectation}
        choices={EXPECTATIONS}
        onChange={({ target }) => setExpectation(target.value as Expectation)}
      />
      {expectation === 'text' && (
        <TextArea
          label="What the answer should be"
          rows={4}
          autoFocus
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
    </AskDialog>
  );
}
