import type { ReactNode } from 'react';
import type { DocumentVersion } from '../../api/generated/schema.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';

type Fields = Pick<DocumentVersion, 'title' | 'content' | 'language'>;

interface VersionDialogProps {
  heading: string;
  /** Version whose text is the beginning. */
  version: Fields;
  isSaving: boolean;
  error: unknown;
  onSave: (fields: Fields) => void;
  onClose: () => void;
}

/** Changes the text of a version. */
export function VersionDialog({
  heading,
  version,
  isSaving,
  error,
  onSave,
  onClose,
}: VersionDialogProps): ReactNode {
  const { title, content, language } = version;
  const draft = useDraft<Fields>({ title, content, language });
  const field = fieldsOf(draft, error);
  return (
    <AskDialog
      title={heading}
      action="Save as a draft"
      isWide
      isBusy={isSaving || !draft.hasChanges}
      error={error}
      onConfirm={() => onSave(draft.values)}
      onClose={onClose}
    >
      <TextField label="Title" required maxLength={512} {...field('title')} />
      <TextArea label="Content" required rows={14} {...field('content')} />
      <TextField
        label="Language"
        help="Such as en or pt-BR."
        maxLength={35}
        className="w-32"
        {...field('language')}
      />
    </AskDialog>
  );
}
