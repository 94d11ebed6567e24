import { type ReactNode, useState } from 'react';
import type { Task, UpdateTaskBody } from '../../api/generated/schema.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { useAllRows } from '../api/use-all-rows.ts';
import { formatWhole } from '../format/number.ts';
import { TopicSelect } from '../topics/topic-select.tsx';
import { useTopicTitles } from '../topics/use-topics.ts';
import { TextArea, TextField } from '../ui/field.tsx';
import { keptDraft, useDraftKey, useKeepDraft } from '../ui/kept-draft.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { SmallTable } from '../ui/small-table.tsx';
import { inTurn } from './in-turn.ts';
import type { StepProps } from './step-props.ts';
import { ReviewFrame, type ReviewItem } from './review-frame.tsx';

/** Most tasks that are reviewed; the others become active with the quickstart. */
const MAX_TASKS = 1_000;
/** Most examples of a task that are shown. */
const MAX_EXAMPLES = 100;

/** Changes of one task that are not saved yet. */
interface TaskDraft {
  title?: string;
  description?: string;
  topicId?: string | null;
  /** Ids of examples that are left out. */
  dropped?: readonly string[];
}
type Drafts = Readonly<Record<string, TaskDraft>>;
interface TaskItem extends ReviewItem {
  task: Task;
  topic: string | undefined;
}

/** Reviews the tasks that were made of conversations, with their topics and examples. */
export function TaskStep(props: StepProps): ReactNode {
  const { quickstart } = props;
  const topics = useTopicTitles();
  const key = useDraftKey('tasks');
  const [drafts, setDrafts] = useState<Drafts>(() => keptDraft<Drafts>(key) ?? {});
  useKeepDraft(key, Object.keys(drafts).length === 0 ? null : drafts);
  const tasks = useAllRows(
    '/v0/tasks',
    {
      quickstartId: [quickstart.id],
      taskStatus: ['DRAFT', 'ACTIVE', 'ARCHIVED'],
      orderBy: 'createdAt',
      orderDir: 'asc',
    },
    MAX_TASKS,
  );
  const save = useAction(['/v0/tasks', '/v0/quickstarts'], (api, changes: [Change, ...Change[]]) =>
    inTurn(changes, async ({ id, body, dropped = [] }) => {
      for (const exampleId of dropped) {
        const { error, response } = await api.DELETE('/v0/tasks/{id}/examples/{exampleId}', {
          params: { path: { id, exampleId } },
        });
        if (error !== undefined) return { error, response };
      }
      return api.PUT('/v0/tasks/{id}', { params: { path: { id } }, body });
    }),
  );
  const forget = (ids: readonly string[]): void =>
    setDrafts((before) => Object.fromEntries(Object.entries(before).filter(([id]) => !ids.includes(id))));
  const acceptAll = (items: readonly TaskItem[], onDone?: () => void): void => {
    const [first, ...others] = items.map(({ task }) => acceptance(task, drafts[task.id]));
    if (first === undefined) return;
    save.mutate([first, ...others], {
      onSuccess: () => {
        onDone?.();
        forget(items.map(({ id }) => id));
      },
    });
  };
  return (
    <Loaded of={tasks} isFlush isFull>
      {({ data }) => (
        <ReviewFrame
          {...props}
          step="tasks"
          items={data.map((task) => itemOf(task, topics.get(task.topicId ?? ''))).toSorted(byTopic)}
          empty={<p>No file with conversations was read.</p>}
          isBusy={save.isPending}
          error={save.error}
          accept={(item, onDone) => acceptAll([item], onDone)}
          acceptRest={acceptAll}
          reject={({ id }, onDone) =>
            save.mutate([{ id, body: { status: 'ARCHIVED' } }], { onSuccess: onDone })
          }
        >
          {({ task }) => (
            <TaskDetail
              task={task}
              draft={drafts[task.id] ?? {}}
              isReadOnly={props.isReadOnly}
              onChange={(patch) =>
                setDrafts((before) => ({ ...before, [task.id]: { ...before[task.id], ...patch } }))
              }
            />
          )}
        </ReviewFrame>
      )}
    </Loaded>
  );
}

interface Change {
  id: string;
  body: UpdateTaskBody;
  dropped?: readonly string[] | undefined;
}

/** Returns the change that accepts a task with what was edited. */
const acceptance = ({ id, status }: Task, { dropped, ...edited }: TaskDraft = {}): Change => ({
  id,
  body: { ...edited, isVerified: true, ...(status === 'ARCHIVED' && { status: 'DRAFT' }) },
  dropped,
});

/** Compares tasks by topic and title: those of one file were made at the same time. */
const byTopic = (a: TaskItem, b: TaskItem): number =>
  (a.topic ?? '\u{10ffff}').localeCompare(b.topic ?? '\u{10ffff}') || a.title.localeCompare(b.title);

const itemOf = (task: Task, topic: string | undefined): TaskItem => ({
  id: task.id,
  title: task.title,
  detail: `${topic ?? 'No topic'} · ${formatWhole(task.exampleCount)} ${task.exampleCount === 1 ? 'example' : 'examples'}`,
  state:
    task.status === 'ARCHIVED'
      ? 'rejected'
      : task.isVerified || task.status === 'ACTIVE'
        ? 'accepted'
        : 'open',
  task,
  topic,
});

interface TaskDetailProps {
  task: Task;
  draft: TaskDraft;
  isReadOnly: boolean;
  onChange: (patch: TaskDraft) => void;
}

const TaskDetail = ({ task, draft, isReadOnly, onChange }: TaskDetailProps): ReactNode => {
  const { title, description, topicId } = { ...task, ...draft };
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-4 min-[720px]:grid-cols-[minmax(0,1fr)_220px]">
        <TextField
          label="Task"
          maxLength={256}
          value={title}
          disabled={isReadOnly}
          problem={title.trim() === '' ? 'must not be empty' : undefined}
          onChange={({ target }) => onChange({ title: target.value })}
        />
        <TopicSelect
          value={topicId ?? ''}
          disabled={isReadOnly}
          onChange={({ target }) => onChange({ topicId: target.value === '' ? null : target.value })}
        />
      </div>
      <TextArea
        label="What the app should do"
        rows={2}
        maxLength={10_000}
        value={description}
        disabled={isReadOnly}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <TaskExamples task={task} draft={draft} isReadOnly={isReadOnly} onChange={onChange} />
    </div>
  );
};

function TaskExamples({ task, draft: { dropped = [] }, isReadOnly, onChange }: TaskDetailProps): ReactNode {
  const examples = useApi('/v0/tasks/{id}/examples', {
    path: { id: task.id },
    query: { limit: MAX_EXAMPLES, orderBy: 'position', orderDir: 'asc' },
  });
  const toggle = (id: string): void =>
    onChange({ dropped: dropped.includes(id) ? dropped.filter((one) => one !== id) : [...dropped, id] });
  return (
    <Section
      title="Examples from your conversations"
      actions={
        examples.data && (
          <span className="text-dim">
            {formatWhole(examples.data.data.length - dropped.length)} of{' '}
            {formatWhole(examples.data.pagination.total)}
          </span>
        )
      }
    >
      <Loaded of={examples}>
        {({ data }) => (
          <SmallTable
            label="Examples"
            isFixed
            heads={[
              [<span className="sr-only">Keep</span>, 'w-8'],
              ['Customer wrote'],
              ['Your team answered, becomes expected'],
            ]}
          >
            {data.map(({ id, input, expected }) => (
              <tr key={id} className="border-t border-line align-top">
                <td className="py-1.5">
                  <input
                    type="checkbox"
                    aria-label={`Keep ${textOf(input)}`}
                    checked={!dropped.includes(id)}
                    disabled={isReadOnly}
                    onChange={() => toggle(id)}
                  />
                </td>
                <td className="py-1.5 pr-3 wrap-anywhere">{textOf(input)}</td>
                <td className="py-1.5 wrap-anywhere">
                  {expected === null ? <span className="text-dim">no answer</span> : textOf(expected)}
                </td>
              </tr>
            ))}
          </SmallTable>
        )}
      </Loaded>
    </Section>
  );
}

/** Characters of a text that the table shows. */
const MAX_TEXT = 400;

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}
