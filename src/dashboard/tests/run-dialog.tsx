import { type ReactNode, useId, useState } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Options, SelectField, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { useLacksWebhook } from '../webhook/use-webhook.ts';
import { NoWebhook } from './no-webhook.tsx';
import { Forecast, type LastResult } from './forecast.tsx';
import { useRunVariant, useVariantsOfTask, type VariantOfTask } from './use-variants-of-task.ts';

/** Most tests of an example that one trigger starts. */
const MAX_REPEAT = 100;
/** Most tests of a variant that one call starts. */
const MAX_OF_VARIANT = 100;
/** Examples of the last run that are looked through for failures, and examples of the task for subsets. */
const MAX_FAILED = 200;
const MAX_LISTED = 100;

type Which = 'all' | 'failed' | 'subset';

interface RunDialogProps {
  title: string;
  task: Pick<Task, 'id' | 'title' | 'exampleCount'>;
  onClose: () => void;
}

/** Asks which examples of a task to test and how often, says what that costs and shows, and starts the run. */
export function RunDialog({ title, task, onClose }: RunDialogProps): ReactNode {
  const [which, setWhich] = useState<Which>('all');
  const [subset, setSubset] = useState('');
  const [count, setCount] = useState('1');
  const [variantId, setVariantId] = useState('');
  const variants = useVariantsOfTask(task.id);
  const variant = variants.find(({ id }) => id === variantId);
  const { failed, isTruncated, last } = useLastFailures(task.id);
  const subsets = useSubsets(task.id);
  const chosenSubset = useSubset(task.id, subsets.includes(subset) ? subset : subsets[0]);
  const lacksWebhook = useLacksWebhook();
  const repeat = Number(count);
  const isValid = Number.isInteger(repeat) && repeat >= 1 && repeat <= MAX_REPEAT;
  // A model writes the prompts of a task without examples.
  const hasExamples = task.exampleCount > 0;
  const examples = variant
    ? task.exampleCount
    : which === 'failed'
      ? failed.length
      : which === 'subset'
        ? (chosenSubset?.count ?? 0)
        : task.exampleCount;
  const tests = hasExamples ? examples * repeat : repeat;
  const isTooMany = variant !== undefined && tests > MAX_OF_VARIANT;
  const { start, isPending, error } = useStart({
    taskId: task.id,
    variant,
    repeat,
    tests,
    examples: hasExamples ? chosenExamples(which, failed, chosenSubset) : undefined,
    onClose,
  });
  const isBlocked = !isValid || lacksWebhook || tests === 0 || isTooMany;
  return (
    <AskDialog
      title={title}
      action={tests === 1 ? 'Run 1 test' : `Run ${formatWhole(tests)} tests`}
      isBusy={isPending || isBlocked}
      error={error}
      onConfirm={() => !isBlocked && start()}
      onClose={onClose}
    >
      {lacksWebhook && <NoWebhook />}
      {hasExamples && (
        <ExampleChoice
          isDisabled={variant !== undefined}
          all={task.exampleCount}
          {...{ which, setWhich, failed, isTruncated, subsets, chosenSubset, setSubset }}
          hasLast={last !== undefined}
        />
      )}
      <TextField
        label={hasExamples ? 'Tests per example' : 'Tests'}
        type="number"
        min={1}
        max={MAX_REPEAT}
        value={count}
        onChange={(event) => setCount(event.target.value)}
        help={
          hasExamples
            ? 'Several tests of an example show mixed results.'
            : 'A model writes the prompt of each.'
        }
        problem={isValid ? undefined : `must be a whole number from 1 to ${MAX_REPEAT}`}
      />
      {variants.length > 0 && (
        <VariantField
          variants={variants}
          chosen={variant?.id ?? ''}
          onChoose={setVariantId}
          problem={
            isTooMany
              ? `at most ${MAX_OF_VARIANT} tests of a variant start at once; got ${formatWhole(tests)}`
              : undefined
          }
        />
      )}
      {isValid && tests > 0 && (
        <Forecast task={task} tests={tests} examples={hasExamples ? examples : tests} last={last} />
      )}
    </AskDialog>
  );
}

interface Start {
  taskId: string;
  variant: VariantOfTask | undefined;
  repeat: number;
  /** Number of all tests. */
  tests: number;
  examples: ReturnType<typeof chosenExamples> | undefined;
  onClose: () => void;
}

/** Returns the call that starts the run, and opens what it started. */
function useStart({ taskId, variant, repeat, tests, examples, onClose }: Start): {
  start: () => void;
  isPending: boolean;
  error: unknown;
} {
  const open = useOpen();
  const ofVariant = useRunVariant();
  const run = useAction(['/v0'], (api) =>
    api.POST('/v0/tasks/trigger', {
      params: { header: { prefer: 'return=representation' } },
      body: { taskIds: [taskId], repeat, ...(examples && { examples }) },
    }),
  );
  const startVariant = (chosen: VariantOfTask): void =>
    ofVariant.mutate(
      { ...chosen, repeat: tests },
      {
        onSuccess: () => {
          announce(`Variant “${chosen.title}” was started`);
          onClose();
          open(`/experiments/${chosen.experimentId}`);
        },
      },
    );
  const startTests = (): void =>
    run.mutate(undefined, {
      onSuccess: (started) => {
        const [first] = started?.data ?? [];
        const ids = first?.testIds ?? [];
        announce(ids.length === 1 ? 'A test was started' : `${formatWhole(ids.length)} tests were started`);
        onClose();
        if (first) open(ids.length === 1 ? `/tests/${ids[0]}` : `/runs/${first.runId}`);
      },
    });
  return {
    start: () => (variant ? startVariant(variant) : startTests()),
    isPending: run.isPending || ofVariant.isPending,
    error: run.error ?? ofVariant.error,
  };
}

interface VariantFieldProps {
  variants: readonly { id: string; title: string }[];
  chosen: string;
  onChoose: (id: string) => void;
  problem: string | undefined;
}

/** Chooses the variant whose settings the app receives. */
const VariantField = ({ variants, chosen, onChoose, problem }: VariantFieldProps): ReactNode => (
  <SelectField
    label="Settings for your app"
    value={chosen}
    choices={[['', 'As deployed'], ...variants.map(({ id, title }) => [id, title] as const)]}
    onChange={({ target }) => onChoose(target.value)}
    help="The settings of a variant of the experiment are sent with each test of all examples."
    problem={problem}
  />
);

interface ExampleChoiceProps {
  isDisabled: boolean;
  /** Number of active examples. */
  all: number;
  which: Which;
  setWhich: (which: Which) => void;
  /** True if there was a run before. */
  hasLast: boolean;
  failed: readonly string[];
  isTruncated: boolean;
  subsets: readonly string[];
  chosenSubset: { name: string; count: number } | undefined;
  setSubset: (name: string) => void;
}

/** Chooses which examples are tested. */
function ExampleChoice(props: ExampleChoiceProps): ReactNode {
  const { isDisabled, all, which, setWhich, hasLast, failed, isTruncated, subsets, chosenSubset, setSubset } =
    props;
  return (
    <fieldset className="grid gap-1" disabled={isDisabled}>
      <legend className="pb-1 text-label font-semibold">Which examples</legend>
      <Which name="all" which={which} onChoose={setWhich} count={all}>
        All active
      </Which>
      {hasLast && (
        <Which
          name="failed"
          which={which}
          onChoose={setWhich}
          count={failed.length}
          isDisabled={failed.length === 0}
        >
          Failed last time{isTruncated && ', the first of them'}
        </Which>
      )}
      {chosenSubset !== undefined && (
        <SubsetChoice
          which={which}
          onWhich={setWhich}
          names={subsets}
          chosen={chosenSubset}
          onChoose={setSubset}
        />
      )}
    </fieldset>
  );
}

/** Returns the examples to test as the API takes them; without a field, all active ones. */
const chosenExamples = (
  which: Which,
  failed: string[],
  subset: { name: string } | undefined,
): { ids?: string[]; splits?: string[] } =>
  which === 'failed' ? { ids: failed } : which === 'subset' && subset ? { splits: [subset.name] } : {};

interface SubsetChoiceProps {
  which: Which;
  onWhich: (which: Which) => void;
  names: readonly string[];
  chosen: { name: string; count: number };
  onChoose: (name: string) => void;
}

/** Chooses a subset of the examples. */
const SubsetChoice = ({ which, onWhich, names, chosen, onChoose }: SubsetChoiceProps): ReactNode => (
  <Which name="subset" which={which} onChoose={onWhich} count={chosen.count}>
    Subset{' '}
    <select
      aria-label="Subset"
      className="h-[26px] max-w-[220px] rounded-md border border-edge bg-page px-1.5"
      value={chosen.name}
      onChange={(event) => {
        onChoose(event.target.value);
        onWhich('subset');
      }}
    >
      <Options choices={names.map((name) => [name, name])} />
    </select>
  </Which>
);

interface WhichProps {
  name: Which;
  which: Which;
  onChoose: (which: Which) => void;
  count: number;
  isDisabled?: boolean;
  children: ReactNode;
}

function Which({ name, which, onChoose, count, isDisabled = false, children }: WhichProps): ReactNode {
  const id = useId();
  return (
    <div className="flex min-h-[26px] items-center gap-2">
      <input
        id={id}
        type="radio"
        name="which"
        checked={which === name}
        disabled={isDisabled}
        onChange={() => onChoose(name)}
      />
      <label htmlFor={id}>{children}</label>
      <span className="text-dim">{formatWhole(count)}</span>
    </div>
  );
}

/** Returns the examples that failed in the last run of a task, and what became of its tests. */
function useLastFailures(taskId: string): {
  failed: string[];
  isTruncated: boolean;
  last: LastResult | undefined;
} {
  const runs = useApi('/v0/runs', {
    query: { taskId: [taskId], limit: 1, orderBy: 'createdAt', orderDir: 'desc' },
  });
  const run = runs.data?.data[0];
  const results = useApi(
    '/v0/results',
    {
      query: { side: [`run:${run?.id ?? ''}`], orderBy: 'outcome', limit: MAX_FAILED, text: 0 },
    },
    { enabled: run !== undefined },
  );
  const rows = results.data?.data ?? [];
  const failures = rows.filter(({ sides }) => {
    const outcome = sides.at(-1)?.outcome;
    return outcome === 'FAILED' || outcome === 'APP_ERROR';
  });
  const failed = failures.flatMap(({ exampleId, isExampleDeleted }) =>
    exampleId === null || isExampleDeleted ? [] : [exampleId],
  );
  const { FAILED = 0, APP_ERROR = 0 } = results.data?.facets.outcomes ?? {};
  const outcomes = run?.outcomes;
  return {
    failed,
    isTruncated: FAILED + APP_ERROR > failures.length,
    last: outcomes && {
      meanMs: meanOf(rows.flatMap(({ sides }) => sides.at(-1)?.durationMs ?? [])),
      passed: outcomes.passed,
      counted: outcomes.passed + outcomes.failed + outcomes.appError,
    },
  };
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the subsets among the first examples of a task. */
function useSubsets(taskId: string): string[] {
  const examples = useApi('/v0/tasks/{id}/examples', { path: { id: taskId }, query: { limit: MAX_LISTED } });
  return [...new Set((examples.data?.data ?? []).flatMap(({ split }) => split ?? []))].toSorted();
}

/** Returns a subset with its number of examples; undefined without a name. */
function useSubset(taskId: string, name: string | undefined): { name: string; count: number } | undefined {
  const examples = useApi(
    '/v0/tasks/{id}/examples',
    { path: { id: taskId }, query: { split: [name ?? ''], limit: 1 } },
    { enabled: name !== undefined },
  );
  return name === undefined ? undefined : { name, count: examples.data?.pagination.total ?? 0 };
}

/** Loads a task, and asks how to run it. */
export function RunDialogOfTask({
  taskId,
  ...rest
}: Omit<RunDialogProps, 'task'> & { taskId: string }): ReactNode {
  const task = useApi('/v0/tasks/{id}', { path: { id: taskId } }).data?.task;
  return task === undefined ? null : <RunDialog task={task} {...rest} />;
}
