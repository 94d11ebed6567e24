import type { ReactNode } from 'react';
import type { Tag } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';

type Fields = Pick<Tag, 'name' | 'color' | 'description' | 'status'>;

const STATUSES = [
  ['ACTIVE', 'Active'],
  ['ARCHIVED', 'Archived'],
] as const;
const NEW: Fields = { name: '', color: '#3B82F6', description: null, status: 'ACTIVE' };

/** Creates a tag, or changes the one that is given. */
export function TagDialog({ tag, onClose }: { tag: Tag | null; onClose: () => void }): ReactNode {
  const { name, color, description, status } = tag ?? NEW;
  const draft = useDraft<Fields>({ name, color, description, status });
  const save = useAction(['/v0/tags'], (api, body: Fields) =>
    tag === null
      ? api.POST('/v0/tags', { body })
      : api.PUT('/v0/tags/{id}', { params: { path: { id: tag.id } }, body }),
  );
  const field = fieldsOf(draft, save.error);
  return (
    <AskDialog
      title={tag === null ? 'New tag' : 'Edit the tag'}
      action={tag === null ? 'Create' : 'Save'}
      isBusy={save.isPending || (tag !== null && !draft.hasChanges)}
      error={save.error}
      onConfirm={() =>
        save.mutate(draft.values, {
          onSuccess: () => {
            announce(`Tag “${draft.values.name}” saved`);
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={256} {...field('name')} />
      <TextField
        label="Colour"
        type="color"
        className="w-16 px-1"
        {...field('color')}
        value={longHex(draft.values.color)}
      />
      <TextArea label="Description" rows={3} {...field('description')} />
      {tag !== null && (
        <SelectField
          label="Status"
          help="Archived tags stay on their tasks."
          choices={STATUSES}
          {...field('status')}
        />
      )}
    </AskDialog>
  );
}

/** Writes a colour with six digits, which the field of a browser requires. */
const longHex = (color: string): string =>
  color.length === 4 ? color.replaceAll(/[0-9a-f]/gi, '$&$&') : color;
