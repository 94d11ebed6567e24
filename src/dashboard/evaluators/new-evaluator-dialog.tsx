import { type ReactNode, useState } from 'react';
import type { CreateDefinitionBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { problemOf, SelectField, TextField } from '../ui/field.tsx';
import { formatJson, parseJsonObject } from '../ui/json-field.ts';
import { announce } from '../ui/status-line.tsx';
import { ConfigField } from './config-field.tsx';
import { TryPanel } from './try-panel.tsx';
import { type EvaluatorType, NEW_TYPES, evaluatorWords } from './words.ts';

/** Returns a call that creates an evaluator, applies it to all tasks if wanted, and opens it. */
function useCreate(isForAll: boolean, onClose: () => void) {
  const open = useOpen();
  const link = useAction(['/v0/definitions'], (api, id: string) =>
    api.POST('/v0/definitions/link-application', { body: { evalIds: [id] } }),
  );
  const create = useAction(['/v0/definitions'], (api, body: CreateDefinitionBody) =>
    api.POST('/v0/definitions', { body }),
  );
  const opened = ({ id, name }: { id: string; name: string }): void => {
    announce(`Evaluator “${name}” created`);
    onClose();
    open(`/evaluators/${id}`);
  };
  return {
    isPending: create.isPending || link.isPending,
    error: create.error,
    run: (body: CreateDefinitionBody): void =>
      create.mutate(body, {
        onSuccess: ({ data }) =>
          isForAll ? link.mutate(data.id, { onSettled: () => opened(data) }) : opened(data),
      }),
  };
}

export function NewEvaluatorDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [type, setType] = useState<EvaluatorType>('ASSERT');
  const [config, setConfig] = useState(formatJson(evaluatorWords('ASSERT').template));
  const [isForAll, setForAll] = useState(true);
  const parsed = parseJsonObject(config);
  const create = useCreate(isForAll, onClose);
  const submit = (): void => {
    if (parsed.problem === undefined) create.run({ name, type, globalConfig: parsed.value ?? {} });
  };
  return (
    <AskDialog
      title="New evaluator"
      action="Create"
      isWide
      isBusy={create.isPending}
      error={create.error}
      onConfirm={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={256}
        placeholder="Names the order"
        problem={problemOf(create.error, 'name')}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label="Type"
        help={evaluatorWords(type).measures}
        value={type}
        onChange={({ target }) => {
          const next = target.value as EvaluatorType;
          setType(next);
          setConfig(formatJson(evaluatorWords(next).template));
        }}
        choices={NEW_TYPES.map((value) => [value, value])}
      />
      <ConfigField
        value={config}
        problem={parsed.problem ?? problemOf(create.error, 'globalConfig')}
        onChange={setConfig}
      />
      <CheckField checked={isForAll} onChange={setForAll}>
        Judge the tests of all tasks
      </CheckField>
      <TryPanel
        definitionId={null}
        problem={parsed.problem === undefined ? undefined : 'Correct the configuration first.'}
        definition={{
          type,
          globalConfig: parsed.value ?? {},
          ...(name.trim() !== '' && { name: name.trim() }),
        }}
      />
    </AskDialog>
  );
}
