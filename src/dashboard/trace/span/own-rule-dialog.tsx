import { type ReactNode, useState } from 'react';
import type { MappingRule } from '../../../api/generated/schema.ts';
import { useAction, useApi } from '../../api/use-api.ts';
import { formatWhole } from '../../format/number.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/status-line.tsx';

const FIELDS = [
  ['input', 'Input'],
  ['output', 'Output'],
  ['inputMessages', 'Messages sent'],
  ['outputMessages', 'Messages answered'],
  ['systemInstructions', 'System instructions'],
  ['documents', 'Documents'],
  ['kind', 'Kind'],
  ['model', 'Model'],
  ['provider', 'Provider'],
  ['inputTokens', 'Input tokens'],
  ['outputTokens', 'Output tokens'],
  ['totalTokens', 'Total tokens'],
  ['cacheReadTokens', 'Tokens read from the cache'],
  ['cacheWriteTokens', 'Tokens written to the cache'],
  ['reasoningTokens', 'Reasoning tokens'],
  ['cost', 'Cost'],
  ['serviceTier', 'Service tier'],
  ['toolName', 'Tool'],
  ['agentName', 'Agent'],
  ['promptName', 'Prompt'],
  ['sessionId', 'Conversation'],
  ['userId', 'User'],
  ['tags', 'Tags'],
  ['environment', 'Environment'],
  ['version', 'Version'],
  ['metadata', 'Metadata'],
  ['displayName', 'Name of the span'],
  ['traceName', 'Name of the trace'],
] as const satisfies readonly (readonly [MappingRule['field'], string])[];

const TYPES = [
  ['', 'As it was sent'],
  ['text', 'Text'],
  ['number', 'Number'],
  ['json', 'JSON'],
] as const;

const KINDS = [
  ['', 'None'],
  ...(
    ['LLM', 'TOOL', 'AGENT', 'CHAIN', 'RETRIEVER', 'RERANKER', 'EMBEDDING', 'GUARDRAIL', 'EVALUATOR'] as const
  ).map((kind) => [kind, kind] as const),
] as const;

interface OwnRuleDialogProps {
  /** Key that no rule reads. */
  attribute: string;
  onClose: () => void;
}

/** Adds a mapping rule for an attribute, which can be tried on stored spans first. */
export function OwnRuleDialog({ attribute, onClose }: OwnRuleDialogProps): ReactNode {
  const [key, setKey] = useState(attribute);
  const [field, setField] = useState<MappingRule['field']>('input');
  const [path, setPath] = useState('');
  const [type, setType] = useState('');
  const [kind, setKind] = useState('');
  const stored = useApi('/v0/mappings', {});
  const rule = {
    key,
    field,
    ...(path !== '' && { path }),
    ...(type !== '' && { type }),
    ...(kind !== '' && { kind }),
  } as MappingRule;
  const preview = useAction([], (api, rules: MappingRule[]) =>
    api.POST('/v0/mappings/preview', { body: { rules } }),
  );
  const save = useAction(
    ['/v0/mappings', '/v0/traces'],
    (api, body: { rules: MappingRule[]; replaces: number }) => api.PUT('/v0/mappings', { body }),
    () => {
      announce('Rule saved');
      onClose();
    },
  );
  const current = stored.data?.data;
  return (
    <AskDialog
      title="Map an attribute"
      action="Save the rule"
      isBusy={save.isPending || !current}
      error={save.error ?? preview.error ?? stored.error}
      onConfirm={() => {
        if (current) save.mutate({ rules: [rule, ...current.rules], replaces: current.version });
      }}
      onClose={onClose}
    >
      <p className="text-dim">
        Own rules precede all others. They apply to new spans and to what is shown here;{' '}
        <code>touchstone remap</code> applies them to lists, sums and filters of stored traces.
      </p>
      <TextField
        label="Attribute"
        help="With a final *, every key that begins so."
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <SelectField
        label="Field"
        value={field}
        choices={FIELDS}
        onChange={({ target }) => setField(target.value as MappingRule['field'])}
      />
      <TextField
        label="Path"
        help="Part of a value that is JSON, such as request.messages[0].content."
        value={path}
        onChange={({ target }) => setPath(target.value)}
      />
      <SelectField
        label="Type"
        value={type}
        choices={TYPES}
        onChange={({ target }) => setType(target.value)}
      />
      <SelectField
        label="Kind of the span"
        help="A span with the attribute is of this kind."
        value={kind}
        choices={KINDS}
        onChange={({ target }) => setKind(target.value)}
      />
      <div className="grid gap-1">
        <Button onClick={() => preview.mutate([rule])} disabled={preview.isPending}>
          Try on stored spans
        </Button>
        {preview.data && <Tried preview={preview.data.data} />}
      </div>
    </AskDialog>
  );
}

function Tried({
  preview: { spans, rules },
}: {
  preview: { spans: number; rules: { spans: number; given: number; samples: string[] }[] };
}): ReactNode {
  const [rule] = rules;
  if (!rule) return null;
  return (
    <div role="status">
      <p>
        {formatWhole(rule.given)} of {formatWhole(rule.spans)} spans with the attribute get the field;{' '}
        {spans === 1 ? '1 span was read.' : `${formatWhole(spans)} spans were read.`}
      </p>
      <ul className="text-dim">
        {rule.samples.map((sample) => (
          <li key={sample} className="break-words">
            {sample}
          </li>
        ))}
      </ul>
    </div>
  );
}
