import { type ReactNode, useState } from 'react';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { TextArea } from '../ui/field.tsx';

interface ExampleDialogProps {
  number: number;
  /** Present text; undefined for a new example. */
  text: string | undefined;
  isSaving: boolean;
  error: unknown;
  onSave: (text: string) => void;
  onClose: () => void;
}

/** Changes the text of one input example, or adds one. */
export function ExampleDialog({
  number,
  text,
  isSaving,
  error,
  onSave,
  onClose,
}: ExampleDialogProps): ReactNode {
  const [value, setValue] = useState(text ?? '');
  return (
    <AskDialog
      title={text === undefined ? 'New example' : `Example ${number}`}
      action="Save"
      isWide
      isBusy={isSaving || value === '' || value === text}
      error={error}
      onConfirm={() => onSave(value)}
      onClose={onClose}
    >
      <TextArea
        label="Input"
        help="Your app gets it as the prompt of a test."
        rows={10}
        required
        autoFocus
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
    </AskDialog>
  );
}
