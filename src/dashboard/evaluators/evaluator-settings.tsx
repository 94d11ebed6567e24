import type { ReactNode } from 'react';
import type { EvaluationDefinition, UpdateDefinitionBody } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useRemoval } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { TASK_STATUS_NAMES } from '../tasks/words.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { DeleteRecord } from '../ui/delete-record.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { RecordForm } from '../ui/form.tsx';
import { formatJson, parseJsonObject } from '../ui/json-field.ts';
import { Section } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { type Draft, fieldsOf } from '../ui/use-draft.ts';
import { useRecordDraft } from '../ui/use-record-draft.ts';
import { ConfigField } from './config-field.tsx';
import { TryPanel } from './try-panel.tsx';
import { USUAL_GATE } from './usual-gate.ts';
import { evaluatorWords } from './words.ts';

const REPEATS = [1, 3, 5, 7, 9] as const;

interface Props {
  definition: EvaluationDefinition;
}

/** Changes what an evaluator judges by, whether its verdicts decide, and what it applies to. */
export const EvaluatorSettings = ({ definition }: Props): ReactNode => (
  <div className="p-4">
    <EvaluatorForm key={definition.id} definition={definition}>
      <AppliesToAll definition={definition} />
      <DeleteEvaluator definition={definition} />
    </EvaluatorForm>
  </div>
);

/** The form of an evaluator, what follows below it, and beside it the try-out of what the form contains. */
function EvaluatorForm({ definition, children }: Props & { children: ReactNode }): ReactNode {
  const mayWrite = useScope('write');
  const { id, name, status, type, repeats, globalConfig, gate, isOverall } = definition;
  const isFixed = !mayWrite || status === 'ARCHIVED';
  const draft = useRecordDraft<Fields>(
    {
      name,
      status,
      repeats: String(repeats),
      globalConfig: formatJson(globalConfig),
      hasGate: gate !== null,
      minKappa: String(gate?.minKappa ?? USUAL_GATE.minKappa),
      minAnnotations: String(gate?.minAnnotations ?? USUAL_GATE.minAnnotations),
      maxAgeDays: String(gate?.maxAgeDays ?? USUAL_GATE.maxAgeDays),
      canaries: String(gate?.canaries ?? USUAL_GATE.canaries),
      isOverall,
    },
    definition.modifiedAt,
  );
  const save = useAction(
    ['/v0/definitions'],
    (api, body: UpdateDefinitionBody) =>
      api.PUT('/v0/definitions/{id}', { params: { path: { id }, header: draft.ifMatch }, body }),
    () => announce('Evaluator saved'),
  );
  const field = fieldsOf(draft, save.error, isFixed);
  const config = parseJsonObject(draft.values.globalConfig);
  const submit = (): void => {
    if (config.problem !== undefined) return;
    save.mutate(bodyOf(draft, config.value ?? {}));
  };
  return (
    <div className="grid grid-cols-[minmax(0,680px)_minmax(0,1fr)] gap-x-8 gap-y-6 max-[1100px]:grid-cols-1">
      <div className="grid content-start gap-6">
        <RecordForm id={id} draft={draft} save={save} mayWrite={mayWrite} onSave={submit}>
          <TextField label="Name" required maxLength={256} {...field('name')} />
          <SelectField
            label="Status"
            help="Only active evaluators judge. An archived one cannot be changed any more."
            choices={Object.entries(TASK_STATUS_NAMES)}
            {...field('status')}
          />
          <ConfigField
            value={draft.values.globalConfig}
            disabled={isFixed}
            problem={config.problem ?? field('globalConfig').problem}
            onChange={(text) => draft.change({ globalConfig: text })}
          />
          {evaluatorWords(type).isJudged && <JudgeFields draft={draft} field={field} isFixed={isFixed} />}
          <p className="text-dim">A changed configuration is a new version: earlier verdicts keep theirs.</p>
        </RecordForm>
        {children}
      </div>
      <TryPanel
        definitionId={id}
        problem={config.problem === undefined ? undefined : 'Correct the configuration first.'}
        definition={{
          type,
          name: draft.values.name.trim() || name,
          globalConfig: config.value ?? {},
          repeats: Number(draft.values.repeats) as (typeof REPEATS)[number],
          styleGuideId: definition.styleGuideId,
        }}
      />
    </div>
  );
}

interface Fields {
  name: string;
  status: EvaluationDefinition['status'];
  repeats: string;
  globalConfig: string;
  hasGate: boolean;
  minKappa: string;
  minAnnotations: string;
  maxAgeDays: string;
  canaries: string;
  isOverall: boolean;
}

/** Returns the changed fields as the API takes them. */
function bodyOf({ values, changed }: Draft<Fields>, config: Record<string, unknown>): UpdateDefinitionBody {
  const { name, status, repeats, globalConfig, isOverall, ...gate } = changed;
  return {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(repeats !== undefined && { repeats: Number(repeats) as (typeof REPEATS)[number] }),
    ...(globalConfig !== undefined && { globalConfig: config }),
    ...(isOverall !== undefined && { isOverall }),
    ...(Object.keys(gate).length > 0 && { gate: gateOf(values) }),
  };
}

interface JudgeFieldsProps {
  draft: Draft<Fields>;
  field: ReturnType<typeof fieldsOf<Fields>>;
  isFixed: boolean;
}

/** Fields of a judge model only: how often it answers, and when it decides. */
const JudgeFields = ({ draft, field, isFixed }: JudgeFieldsProps): ReactNode => (
  <>
    <SelectField
      label="Answers of the judge"
      help="The majority counts. Each answer is paid for."
      choices={REPEATS.map((count) => [String(count), String(count)])}
      {...field('repeats')}
    />
    <CheckField
      disabled={isFixed}
      checked={draft.values.isOverall}
      onChange={(isOverall) => draft.change({ isOverall })}
    >
      Verdicts of people on a complete trace are verdicts on it
    </CheckField>
    <CheckField
      disabled={isFixed}
      checked={draft.values.hasGate}
      onChange={(hasGate) => draft.change({ hasGate })}
    >
      Its verdicts decide, once it has proved that it agrees with people
    </CheckField>
    {draft.values.hasGate && (
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Required agreement κ"
          help="0 to 1. The lower bound of its interval must reach it."
          inputMode="decimal"
          {...field('minKappa')}
        />
        <TextField
          label="Verdicts of people"
          help="On a random sample of traces; the first test takes place then."
          inputMode="numeric"
          {...field('minAnnotations')}
        />
        <TextField
          label="Days until the verification expires"
          help="As many further verdicts renew it."
          inputMode="numeric"
          {...field('maxAgeDays')}
        />
        <TextField
          label="Canaries"
          help="Frozen responses that are judged again with every run set, to notice a judge that has changed; 0 for none."
          inputMode="numeric"
          {...field('canaries')}
        />
      </div>
    )}
  </>
);

const gateOf = ({
  hasGate,
  minKappa,
  minAnnotations,
  maxAgeDays,
  canaries,
}: Fields): EvaluationDefinition['gate'] =>
  hasGate
    ? {
        minKappa: Number(minKappa),
        minAnnotations: Number(minAnnotations),
        maxAgeDays: Number(maxAgeDays),
        canaries: Number(canaries),
      }
    : null;

/** Links the evaluator to all tasks of the application, or removes that link. */
function AppliesToAll({ definition: { id, status } }: Props): ReactNode {
  const mayWrite = useScope('write');
  const body = { evalIds: [id] };
  const link = useAction(['/v0/definitions'], (api) =>
    api.POST('/v0/definitions/link-application', { body }),
  );
  const unlink = useAction(['/v0/definitions'], (api) =>
    api.POST('/v0/definitions/unlink-application', { body }),
  );
  if (!mayWrite || status === 'ARCHIVED') return null;
  const done = (text: string) => ({ onSuccess: () => announce(text) });
  return (
    <Section title="Applies to" className="border-t border-line pt-4">
      <p className="py-1 text-dim">
        It judges the tests of everything that it is linked to. Tasks and topics have their own links; these
        two buttons are about all tasks.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button disabled={link.isPending} onClick={() => link.mutate(undefined, done('Judges all tasks'))}>
          Judge all tasks
        </Button>
        <Button
          disabled={unlink.isPending}
          onClick={() => unlink.mutate(undefined, done('Judges only linked tasks and topics'))}
        >
          Only linked tasks and topics
        </Button>
      </div>
      <ErrorLine error={link.error ?? unlink.error} className="mt-2" />
    </Section>
  );
}

function DeleteEvaluator({ definition }: Props): ReactNode {
  const mayWrite = useScope('write');
  const open = useOpen();
  const remove = useRemoval(['/v0/definitions'], (api, id: string) =>
    api.DELETE('/v0/definitions/{id}', { params: { path: { id } } }),
  );
  if (!mayWrite || definition.status === 'ARCHIVED') return null;
  return (
    <DeleteRecord
      verb="Delete"
      what="evaluator"
      record={{ id: definition.id, title: definition.name }}
      remove={remove}
      onDone={() => {
        announce('Evaluator deleted');
        open('/evaluators');
      }}
    >
      It judges nothing any more, and its links are removed. If it has given verdicts, it is archived and they
      stay.
    </DeleteRecord>
  );
}
