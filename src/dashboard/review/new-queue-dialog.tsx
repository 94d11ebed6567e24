import { type ReactNode, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { CreateAnnotationQueueBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';

const REVIEWS = [
  ['1', '1 reviewer an item'],
  ['2', '2 reviewers an item; a third one where they differ'],
  ['3', '3 reviewers an item; the majority counts'],
] as const;

const MAX_SAMPLE = 100;
const MAX_CRITERIA = 10;

/** Creates a queue and puts a random sample into it. */
export function NewQueueDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [given, setGiven] = useState({
    title: '',
    criteria: '',
    reviews: '1',
    isBlind: true,
    sample: '20',
  });
  const change = (patch: Partial<typeof given>): void => setGiven({ ...given, ...patch });
  const create = useAction(['/v0/human-annotation-queues'], async (api, body: CreateAnnotationQueueBody) => {
    const made = await api.POST('/v0/human-annotation-queues', { body });
    const count = Math.min(MAX_SAMPLE, Math.trunc(Number(given.sample)));
    if (made.data !== undefined && count >= 1)
      await answerOf(
        api.POST('/v0/human-annotation-queue-items/draw', {
          body: { queueId: made.data.data.id, count, selection: 'RANDOM' },
        }),
      );
    return made;
  });
  const criteria = given.criteria
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, MAX_CRITERIA)
    .map((line, place) => {
      const [name = '', ...rest] = line.split(':');
      return { id: `criterion-${place + 1}`, name: name.trim() || line, description: rest.join(':').trim() };
    });
  const save = (): void =>
    create.mutate(
      {
        title: given.title,
        criteria,
        isBlind: given.isBlind,
        reviewsPerItem: Number(given.reviews),
        disagreement: given.reviews === '2' ? 'THIRD' : given.reviews === '3' ? 'MAJORITY' : 'NONE',
      },
      {
        onSuccess: () => {
          announce(`Queue “${given.title}” created`);
          onClose();
        },
      },
    );
  return (
    <AskDialog
      title="New queue"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onConfirm={save}
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        maxLength={256}
        value={given.title}
        onChange={({ target }) => change({ title: target.value })}
      />
      <TextArea
        label="Criteria"
        help="One a line, such as “Tone: friendly and clear”. Without any, reviewers judge the complete response."
        rows={3}
        value={given.criteria}
        onChange={({ target }) => change({ criteria: target.value })}
      />
      <SelectField
        label="Reviews"
        choices={REVIEWS}
        value={given.reviews}
        onChange={({ target }) => change({ reviews: target.value })}
      />
      <TextField
        label="Random sample"
        help="Number of responses to draw from all that no queue has drawn, at most 100. 0 for none."
        type="number"
        min={0}
        max={MAX_SAMPLE}
        value={given.sample}
        onChange={({ target }) => change({ sample: target.value })}
      />
      <CheckField checked={given.isBlind} onChange={(isBlind) => change({ isBlind })}>
        Reviewers see no other verdict before an item is settled
      </CheckField>
    </AskDialog>
  );
}
