import { type ReactNode, useState } from 'react';
import type { TryDefinitionBody, TryResult } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useCall } from '../api/use-api.ts';
import { useUrlState } from '../app/url.tsx';
import { useShortcuts } from '../app/shortcuts.ts';
import { formatMoney, formatSum, formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { SelectField, TextArea } from '../ui/field.tsx';
import { Section } from '../ui/panel.tsx';
import { READ_ONLY } from '../ui/save-bar.tsx';
import { announce } from '../ui/status-line.tsx';
import { TryResults } from './try-results.tsx';

/** Evaluator as the form has it, saved or not. */
export interface TriedEvaluator {
  definition: TryDefinitionBody['definition'];
  /** Saved evaluator that it changes; null for a new one. */
  definitionId: string | null;
  /** Says what is wrong with the form, so that nothing can be tried. */
  problem: string | undefined;
}

type Sample = 'RECENT' | 'FAILED' | 'REVIEWED' | 'DISAGREEMENTS' | 'TEXT';

const SAMPLES: readonly (readonly [Sample, string])[] = [
  ['RECENT', 'the newest responses'],
  ['FAILED', 'responses that failed'],
  ['REVIEWED', 'reviewed responses, half failed'],
  ['DISAGREEMENTS', 'where it and reviewers differ'],
  ['TEXT', 'a text of my own'],
];
/** Samples that need the verdicts of a saved evaluator. */
const OF_SAVED: readonly Sample[] = ['REVIEWED', 'DISAGREEMENTS'];
const DEFAULTS = { sample: '' };
const isSample = (text: string): text is Sample => SAMPLES.some(([sample]) => sample === text);
const COUNTS = ['5', '10', '20'].map((count) => [count, count] as const);
const MAX_TEXT = 20_000;
/** Letters by which a text grows until its cost is estimated again. */
const TEXT_STEP = 500;

/** Tries an evaluator on a few responses before it is saved: cost first, then verdicts beside those of people. */
export function TryPanel({ definition, definitionId, problem }: TriedEvaluator): ReactNode {
  const mayWrite = useScope('write');
  const [{ sample: wanted }] = useUrlState(DEFAULTS);
  const first: Sample = definitionId !== null && isSample(wanted) ? wanted : 'RECENT';
  const [chosen, setChosen] = useState({ sample: first, count: '5', input: '', output: '' });
  const change = (patch: Partial<typeof chosen>): void => setChosen({ ...chosen, ...patch });
  const body = bodyOf({ definition, definitionId }, chosen);
  const isReady = mayWrite && problem === undefined && (chosen.sample !== 'TEXT' || chosen.output !== '');
  const estimate = useEstimate(body, isReady);
  const run = useAction([], (api, given: TryDefinitionBody) =>
    api.POST('/v0/definitions/try', { body: given }),
  );
  const result = run.data?.data;
  const expected = estimate.data?.data.expected;
  const isSpent = expected?.leftToday === 0;
  const isPossible = isReady && !run.isPending && !isSpent && expected?.subjects !== 0;
  const start = (): void => {
    if (isPossible)
      run.mutate(body, {
        onSuccess: ({ data }) => announce(`${formatWhole(data.results.length)} responses judged`),
      });
  };
  useShortcuts([{ keys: 'Ctrl Enter', label: 'Try the evaluator', group: 'This page', run: start }]);
  const samples = SAMPLES.filter(([sample]) => definitionId !== null || !OF_SAVED.includes(sample));
  return (
    <Section title="Try-out">
      <div className="mt-1 grid gap-3">
        <div className="grid grid-cols-[minmax(0,1fr)_80px] gap-3">
          <SelectField
            label="Judge"
            choices={samples}
            value={chosen.sample}
            onChange={({ target }) => change({ sample: target.value as Sample })}
          />
          {chosen.sample !== 'TEXT' && (
            <SelectField
              label="How many"
              choices={COUNTS}
              value={chosen.count}
              onChange={({ target }) => change({ count: target.value })}
            />
          )}
        </div>
        {chosen.sample === 'TEXT' && <TextFields chosen={chosen} onChange={change} />}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button
            look={result ? 'plain' : 'primary'}
            keys="Ctrl Enter"
            disabled={!isPossible}
            onClick={start}
          >
            {run.isPending ? 'Judging …' : buttonText(expected, result !== undefined)}
          </Button>
          <p className="text-label text-dim">
            {!mayWrite ? READ_ONLY : (problem ?? (expected && basisText(expected, estimate.data?.data)))}
          </p>
        </div>
        <ErrorLine error={run.error ?? (isReady ? estimate.error : null)} />
        {result && <TryResults result={result} definitionId={definitionId} />}
      </div>
    </Section>
  );
}

interface Chosen {
  sample: Sample;
  count: string;
  input: string;
  output: string;
}

function bodyOf(
  { definition, definitionId }: Pick<TriedEvaluator, 'definition' | 'definitionId'>,
  { sample, count, input, output }: Chosen,
): TryDefinitionBody {
  return {
    definition,
    ...(definitionId !== null && { definitionId }),
    sample:
      sample === 'TEXT'
        ? { texts: [{ output, ...(input !== '' && { input }) }] }
        : { pick: sample, count: Number(count) },
  };
}

/** Returns what a try-out is expected to cost. Words of the form hardly change that, so that typing requests nothing. */
function useEstimate(body: TryDefinitionBody, enabled: boolean) {
  const { definition, definitionId, sample } = body;
  const { type, repeats, globalConfig } = definition;
  const length = (sample.texts ?? []).reduce((sum, { output }) => sum + output.length, 0);
  const query = {
    type,
    repeats,
    judge: globalConfig?.['judge'],
    definitionId,
    pick: sample.pick,
    count: sample.count,
    length: Math.ceil(length / TEXT_STEP),
  };
  return useCall(
    '/v0/definitions/try',
    { query },
    (api) => api.POST('/v0/definitions/try', { body: { ...body, dryRun: true } }),
    { enabled, keepsRows: true },
  );
}

function buttonText(expected: TryResult['expected'] | undefined, isAgain: boolean): string {
  const verb = isAgain ? 'Retry' : 'Try';
  if (!expected) return verb;
  const { subjects, judge, cost } = expected;
  const price = judge === null ? 'free' : cost === null ? 'price unknown' : `about ${priceText(cost)}`;
  return `${verb} on ${formatWhole(subjects)} (${price})`;
}

const priceText = (cost: number): string => (cost >= 0.01 ? formatSum(cost) : formatMoney(cost));

function basisText(
  { subjects, calls, judge, inputTokens, outputTokens, leftToday }: TryResult['expected'],
  of?: TryResult,
): string {
  if (subjects === 0)
    return of !== undefined && of.leftOut > 0
      ? 'Nothing to judge: all of these are held out, or you review them in a blind queue.'
      : 'There are none of these yet.';
  if (leftToday === 0) return 'The limit of today is reached. It resets at 00:00 UTC.';
  if (judge === null) return 'No judge model is asked.';
  const left = leftToday === null ? '' : `, ${formatSum(leftToday)} left today`;
  return `${formatWhole(calls)} calls of the judge “${judge}”, ${formatWhole(inputTokens + outputTokens)} tokens${left}`;
}

const TextFields = ({
  chosen,
  onChange,
}: {
  chosen: Chosen;
  onChange: (patch: Partial<Chosen>) => void;
}): ReactNode => (
  <>
    <TextArea
      label="Input"
      rows={2}
      maxLength={MAX_TEXT}
      value={chosen.input}
      onChange={({ target }) => onChange({ input: target.value })}
    />
    <TextArea
      label="Response"
      rows={4}
      maxLength={MAX_TEXT}
      value={chosen.output}
      onChange={({ target }) => onChange({ output: target.value })}
    />
  </>
);
