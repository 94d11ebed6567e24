import type { ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import type { AgreementStep, EvaluationDefinition } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi, useCall } from '../api/use-api.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { AppLink, useOpen } from '../app/url.tsx';
import { formatMoney, formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { READ_ONLY } from '../ui/save-bar.tsx';
import { announce } from '../ui/status-line.tsx';
import { AgreementPanel } from './agreement.tsx';
import { Disagreements } from './disagreements.tsx';
import { USUAL_GATE } from './usual-gate.ts';
import { evaluatorWords } from './words.ts';

const PARTS = ['Random sample', 'Blind review', 'Measured', 'Blocking'] as const;
/** Parts that are done when a step is next. */
const DONE: Readonly<Record<AgreementStep['step'], number>> = {
  SET_GATE: 0,
  JUDGE: 0,
  SAMPLE: 0,
  REVIEW: 1,
  MEASURE: 2,
  NONE: 4,
};

/** Leads an evaluator from a random sample to blocking, one missing thing after the other. */
export function AgreementFlow({ definition }: { definition: EvaluationDefinition }): ReactNode {
  const { id, version, type } = definition;
  const step = useApi('/v0/definitions/{id}/next-step', { path: { id } }, { version });
  const { isJudged } = evaluatorWords(type);
  return (
    <div className="grid gap-6 p-4">
      {isJudged && (
        <Loaded of={step}>
          {({ data }) => (
            <div className="grid gap-4">
              <Parts step={data.step} />
              <NextStep definition={definition} next={data} />
            </div>
          )}
        </Loaded>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(280px,400px)] gap-6 max-[1000px]:grid-cols-1">
        <Disagreements definition={definition} />
        <AgreementPanel definition={definition} />
      </div>
    </div>
  );
}

const Parts = ({ step }: Pick<AgreementStep, 'step'>): ReactNode => (
  <ol aria-label="From sample to blocking" className="grid grid-cols-4 gap-2 max-[720px]:grid-cols-2">
    {PARTS.map((title, at) => {
      const isDone = at < DONE[step];
      const isNext = at === DONE[step];
      return (
        <li
          key={title}
          aria-current={isNext ? 'step' : undefined}
          className="flex items-center gap-2 border-b border-line py-1.5"
        >
          <span
            aria-hidden="true"
            className={classNames(
              'grid size-5 shrink-0 place-items-center rounded-full border text-label',
              isDone
                ? 'border-pass text-pass'
                : isNext
                  ? 'border-accent text-accent'
                  : 'border-edge text-dim',
            )}
          >
            {isDone ? '✓' : at + 1}
          </span>
          <span className={isNext ? 'font-semibold text-accent' : isDone ? '' : 'text-dim'}>
            {title}
            <span className="sr-only">{isDone ? ', done' : isNext ? ', next' : ''}</span>
          </span>
        </li>
      );
    })}
  </ol>
);

interface NextStepProps {
  definition: EvaluationDefinition;
  next: AgreementStep;
}

/** Says what is missing and why, with the one button that does it. */
function NextStep({ definition, next }: NextStepProps): ReactNode {
  const mayWrite = useScope('write');
  const { id } = definition;
  const open = useOpen();
  const measured = useCall(
    '/v0/definitions/{id}/evaluate',
    { path: { id } },
    (api) => api.POST('/v0/definitions/{id}/evaluate', { params: { path: { id } }, body: { dryRun: true } }),
    { enabled: mayWrite && next.step === 'MEASURE', version: definition.version },
  );
  const action = useStep(definition, next);
  const does = doesText(next, measured.data?.data.cost);
  const run = (): void => {
    if (!mayWrite || does === null || action.isPending) return;
    if (next.step === 'REVIEW') open(next.queueId === null ? '/review' : `/review/${next.queueId}`);
    else if (next.step === 'JUDGE') open('/tasks');
    else action.mutate(undefined, { onSuccess: announce });
  };
  useShortcuts([{ keys: 'd', label: does ?? 'Next step', group: 'This page', run }]);
  return (
    <Section title={next.step === 'NONE' ? 'Standing' : 'Next step'}>
      <p className="mt-1 max-w-[720px] text-reading">
        <strong>{headOf(next)}</strong> {next.reason}
      </p>
      {does !== null && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <Button look="primary" keys="d" disabled={!mayWrite || action.isPending} onClick={run}>
            {action.isPending ? 'Working …' : does}
          </Button>
          {!mayWrite && <p className="text-dim">{READ_ONLY}</p>}
          {next.pending > 0 && next.queueId !== null && next.step !== 'REVIEW' && (
            <AppLink href={`/review/${next.queueId}`} className="text-accent underline">
              Review the {formatWhole(next.pending)} that wait
            </AppLink>
          )}
        </div>
      )}
      <ErrorLine error={action.error} className="mt-2" />
    </Section>
  );
}

function headOf({ step, count }: AgreementStep): string {
  const number = formatWhole(count);
  switch (step) {
    case 'SET_GATE':
      return 'A required agreement is missing.';
    case 'JUDGE':
      return 'A first verdict is missing.';
    case 'MEASURE':
      return `${number} verdicts of this version are missing.`;
    case 'SAMPLE':
      return `${number} more responses of a random sample are missing.`;
    case 'REVIEW':
      return `${number} reviews of the random sample are missing.`;
    default:
      return 'Nothing is missing.';
  }
}

/** Names what the button does; null if nothing is to be done. */
function doesText({ step, count }: AgreementStep, cost: number | null | undefined): string | null {
  const number = formatWhole(count);
  switch (step) {
    case 'SET_GATE':
      return `Require κ of at least ${USUAL_GATE.minKappa.toFixed(2)}`;
    case 'JUDGE':
      return 'Open tasks';
    case 'MEASURE':
      return `Judge ${number} again (${cost === undefined ? '…' : cost === null ? 'price unknown' : `about ${formatMoney(cost)}`})`;
    case 'SAMPLE':
      return `Sample ${number} more`;
    case 'REVIEW':
      return `Review ${number}`;
    default:
      return null;
  }
}

/** Returns the action that does the next step; it answers with what was done, in words. */
function useStep({ id, name, globalConfig }: EvaluationDefinition, { step, count, queueId }: AgreementStep) {
  const { criterion } = globalConfig;
  const draw = async (api: Parameters<Parameters<typeof useAction>[1]>[0]): Promise<string> => {
    const queue =
      queueId ??
      (
        await answerOf(
          api.POST('/v0/human-annotation-queues', {
            body: {
              title: `Agreement of ${name}`.slice(0, 256),
              isBlind: true,
              criteria: [
                {
                  id: 'criterion',
                  name,
                  description: typeof criterion === 'string' ? criterion.slice(0, 1_000) : '',
                  evalDefinitionId: id,
                },
              ],
            },
          }),
        )
      ).data.id;
    const { data } = await answerOf(
      api.POST('/v0/human-annotation-queue-items/draw', {
        body: {
          queueId: queue,
          count,
          evalDefinitionId: id,
          selection: 'RANDOM',
          ...(count > 1 && { strata: {} }),
        },
      }),
    );
    return data.length === 0
      ? 'Nothing is left to sample: all that it judged was drawn. Run a task first.'
      : `${formatWhole(data.length)} sampled at random`;
  };
  return useAction(['/v0/definitions', '/v0/human-annotation-queues'], async (api) => {
    const params = { path: { id } };
    const done =
      step === 'SAMPLE'
        ? await draw(api)
        : step === 'MEASURE'
          ? await answerOf(
              api.POST('/v0/definitions/{id}/evaluate', { params, body: { dryRun: false } }),
            ).then(({ data }) => `${formatWhole(data.evals)} are judged again`)
          : await answerOf(api.PUT('/v0/definitions/{id}', { params, body: { gate: USUAL_GATE } })).then(
              () => 'Agreement is required',
            );
    return { data: done, response: new Response() };
  });
}
