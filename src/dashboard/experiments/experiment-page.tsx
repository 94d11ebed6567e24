import { type ReactNode, useState } from 'react';
import type { Experiment, RunComparison, Variant } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi, useCall } from '../api/use-api.ts';
import { usePathParam, useUrlState } from '../app/url.tsx';
import { GRID_STATE } from '../results/grid-state.ts';
import { ResultsGrid } from '../results/results-grid.tsx';
import { variantShows } from '../results/shows.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';
import { ConfigDiff } from './config-diff.tsx';
import { VariantDialog } from './variant-dialog.tsx';
import { Differences, VariantTable } from './variant-table.tsx';
import { EXPERIMENT_STATUS, letterOf } from './words.ts';

const LIVE_MS = 2_000;
/** Variants that are shown. */
const MAX_VARIANTS = 100;
/** Variants whose results stand beside each other. */
const MAX_SIDES = 4;

export function ExperimentPage(): ReactNode {
  const id = usePathParam('experimentId');
  const mayWrite = useScope('write');
  const [asked, setAsked] = useState<Variant | 'new' | null>(null);
  const experiment = useApi('/v0/experiments/{id}', { path: { id } });
  const list = useApi(
    '/v0/experiments/{id}/variants',
    { path: { id }, query: { limit: MAX_VARIANTS, orderBy: 'createdAt', orderDir: 'asc' } },
    { refresh: (answer) => (answer?.data ?? []).some(({ status }) => status === 'RUNNING') && LIVE_MS },
  );
  const loaded = experiment.data?.data;
  const variants = list.data?.data ?? [];
  const close = (): void => setAsked(null);
  return (
    <Page
      title={loaded?.title ?? 'Experiment'}
      back="/experiments"
      facts={loaded && <ExperimentState experiment={loaded} variants={variants.length} />}
      actions={
        mayWrite &&
        loaded && (
          <Button look={variants.length === 0 ? 'primary' : 'plain'} onClick={() => setAsked('new')}>
            Add variant
          </Button>
        )
      }
    >
      <Loaded of={list} isFlush isFull>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No variants yet">
              <p>
                Add the baseline first: the settings that your app has now. Every variant is compared with it.
              </p>
            </Empty>
          ) : (
            <Variants variants={data} onRun={mayWrite ? setAsked : undefined} />
          )
        }
      </Loaded>
      {asked === 'new' && <VariantDialog experimentId={id} variants={variants} onClose={close} />}
      {asked !== null && asked !== 'new' && <RunVariant experimentId={id} variant={asked} onClose={close} />}
    </Page>
  );
}

function ExperimentState({ experiment, variants }: { experiment: Experiment; variants: number }): ReactNode {
  const [text, tone] = EXPERIMENT_STATUS[experiment.status];
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      <span className="text-dim">
        {variants} {variants === 1 ? 'variant' : 'variants'}, {experiment.taskIds.length}{' '}
        {experiment.taskIds.length === 1 ? 'task' : 'tasks'}
      </span>
    </>
  );
}

interface VariantsProps {
  variants: readonly Variant[];
  onRun: ((variant: Variant) => void) | undefined;
}

/** The variants with what came out of them, beside each other. */
function Variants({ variants, onRun }: VariantsProps): ReactNode {
  const [state, change] = useUrlState(GRID_STATE);
  const tested = variants.filter(({ progress }) => progress.total > 0);
  const comparison = useComparison(tested);
  const sides = new Map<string, RunComparison['baseline']>();
  if (comparison) {
    tested.forEach(({ id }, index) => {
      const side = index === 0 ? comparison.baseline : comparison.candidates[index - 1];
      if (side) sides.set(id, side);
    });
  }
  const compared = tested.slice(1).flatMap(({ id }, index) => {
    const candidate = comparison?.candidates[index];
    const letter = letterOf(variants.findIndex((one) => one.id === id));
    return candidate ? [{ letter, candidate }] : [];
  });
  const shown = tested.slice(0, MAX_SIDES);
  const isLive = tested.some(({ status }) => status === 'RUNNING');
  const named = shown.map(({ id, title }) => ({
    side: `variant:${id}`,
    name: `${letterOf(variants.findIndex((one) => one.id === id))} ${title}`,
  }));
  const results = useApi(
    '/v0/results',
    { query: { side: named.map(({ side }) => side), limit: 1, text: 0 } },
    { enabled: shown.length > 0, version: versionOf(tested) },
  );
  return (
    <div className="flex h-full min-h-[640px] flex-col">
      <div className="grid max-h-[46%] shrink-0 grid-cols-2 gap-x-6 gap-y-3 overflow-y-auto px-4 py-3 max-[1000px]:max-h-none max-[1000px]:grid-cols-1">
        <div className="grid content-start gap-3">
          <VariantTable variants={variants} sides={sides} onRun={onRun} />
          <ConfigDiff variants={variants} />
        </div>
        <Differences compared={compared} />
      </div>
      {shown.length === 0 ? (
        <p className="px-4 py-3 text-reading text-dim">No variant has run yet. Run the baseline first.</p>
      ) : (
        results.data && (
          <ResultsGrid
            layout="variants"
            sides={named}
            shows={variantShows(results.data.facets)}
            state={state}
            onChange={change}
            isLive={isLive}
            empty="No example came out like this. Choose “All” to see every example."
          />
        )
      )}
    </div>
  );
}

const versionOf = (variants: readonly Variant[]): string =>
  variants.map(({ modifiedAt, progress }) => `${modifiedAt} ${progress.completed}`).join();

/** Compares all variants that have run with the first; undefined until it is known. */
function useComparison(tested: readonly Variant[]): RunComparison | undefined {
  const [baseline, ...others] = tested;
  const body = {
    baseline: { variantId: baseline?.id ?? '' },
    // With one side alone, the comparison with itself returns its interval.
    candidates: (others.length === 0 ? tested : others).slice(0, 10).map(({ id }) => ({ variantId: id })),
    by: 'OUTCOME' as const,
  };
  return useCall(
    '/v0/runs/compare',
    { query: body },
    (api, signal) => api.POST('/v0/runs/compare', { body, signal }),
    { enabled: baseline !== undefined, version: versionOf(tested) },
  ).data?.data;
}

interface RunVariantProps {
  experimentId: string;
  variant: Variant;
  onClose: () => void;
}

/** Asks how many tests of each task to start. */
function RunVariant({ experimentId, variant, onClose }: RunVariantProps): ReactNode {
  const [count, setCount] = useState('20');
  const run = useAction(['/v0'], (api, repeat: number) =>
    api.POST('/v0/experiments/{id}/variants/{variantId}/run', {
      params: { path: { id: experimentId, variantId: variant.id } },
      body: { repeat },
    }),
  );
  const repeat = Number(count);
  const isValid = Number.isInteger(repeat) && repeat >= 1 && repeat <= 100;
  return (
    <AskDialog
      title={`Run “${variant.title}”`}
      action="Run"
      isBusy={run.isPending || !isValid}
      error={run.error}
      onConfirm={() =>
        run.mutate(repeat, {
          onSuccess: () => {
            announce('The tests were started');
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p className="text-dim">
        Your app receives the settings of the variant with each test. Examples are taken in turn, from the
        first one on: choose as many tests as there are examples to test each of them once.
      </p>
      <TextField
        label="Tests of each task"
        type="number"
        min={1}
        max={100}
        value={count}
        problem={isValid ? undefined : 'must be a whole number from 1 to 100'}
        onChange={({ target }) => setCount(target.value)}
      />
    </AskDialog>
  );
}
