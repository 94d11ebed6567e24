import { type ReactNode, useState } from 'react';
import type { CreateVariantBody, Variant } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { problemOf, SelectField, TextArea, TextField } from '../ui/field.tsx';
import { parseJsonObject } from '../ui/json-field.ts';
import { announce } from '../ui/status-line.tsx';
import { letterOf } from './words.ts';

interface VariantDialogProps {
  experimentId: string;
  /** Variants that exist; the first is the baseline. */
  variants: readonly Variant[];
  onClose: () => void;
}

const PLACEHOLDER = '{"answer": {"prompt": "Answer in at most two sentences."}}';

/** Adds a variant to an experiment: what it changes in the settings of another one. */
export function VariantDialog({ experimentId, variants, onClose }: VariantDialogProps): ReactNode {
  const [title, setTitle] = useState(variants.length === 0 ? 'baseline' : '');
  const [parentId, setParentId] = useState(variants[0]?.id ?? '');
  const [patch, setPatch] = useState('');
  const create = useAction(['/v0/experiments'], (api, body: CreateVariantBody) =>
    api.POST('/v0/experiments/{id}/variants', { params: { path: { id: experimentId } }, body }),
  );
  const { value, problem } = parseJsonObject(patch);
  const submit = (): void => {
    if (problem !== undefined) return;
    const body = {
      title,
      status: 'PENDING' as const,
      parentId: parentId === '' ? null : parentId,
      configPatch: (value ?? {}) as CreateVariantBody['configPatch'],
    };
    create.mutate(body, {
      onSuccess: () => {
        announce(`Variant “${title}” added`);
        onClose();
      },
    });
  };
  return (
    <AskDialog
      title="Add a variant"
      action="Add"
      isWide
      isBusy={create.isPending || title.trim() === '' || problem !== undefined}
      error={create.error}
      onConfirm={submit}
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        maxLength={256}
        placeholder="two sentences"
        value={title}
        problem={problemOf(create.error, 'title')}
        onChange={({ target }) => setTitle(target.value)}
      />
      {variants.length > 0 && (
        <SelectField
          label="Based on"
          value={parentId}
          choices={variants.map((one, place) => [one.id, `${letterOf(place)} ${one.title}`])}
          onChange={({ target }) => setParentId(target.value)}
        />
      )}
      <TextArea
        label="Settings that it changes"
        help="JSON: step → parameter → value. Your app receives all settings of the variant with each test."
        rows={6}
        className="font-mono"
        placeholder={PLACEHOLDER}
        value={patch}
        problem={patch === '' ? undefined : (problem ?? problemOf(create.error, 'configPatch'))}
        onChange={({ target }) => setPatch(target.value)}
      />
    </AskDialog>
  );
}
