import { type ReactNode, useState } from 'react';
import type { MappingRule } from '../../../api/generated/schema.ts';
import { useAction } from '../../api/use-api.ts';
import { formatWhole } from '../../format/number.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/status-line.tsx';

/** Largest file of rules, which is far more than the most rules take. */
const MAX_BYTES = 1024 * 1024;

interface ImportRulesDialogProps {
  /** Version of the rules that are replaced, and their number. */
  version: number;
  replaced: number;
  onClose: () => void;
}

/** Replaces the own mapping rules by those of a file, as the export and `touchstone mappings` write it. */
export function ImportRulesDialog({ version, replaced, onClose }: ImportRulesDialogProps): ReactNode {
  const [rules, setRules] = useState<MappingRule[] | null>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const save = useAction(
    ['/v0/mappings', '/v0/traces'],
    (api, body: { rules: MappingRule[]; replaces: number }) => api.PUT('/v0/mappings', { body }),
    () => {
      announce('Rules imported');
      onClose();
    },
  );
  const choose = async (file: File): Promise<void> => {
    save.reset();
    const read = file.size > MAX_BYTES ? null : rulesIn(await file.text());
    setRules(read);
    setProblem(read === null ? problemOf(file) : undefined);
  };
  return (
    <AskDialog
      title="Import own rules"
      action={rules ? `Import ${formatWhole(rules.length)}` : 'Import'}
      isBusy={save.isPending || rules === null}
      error={save.error}
      onConfirm={() => rules && save.mutate({ rules, replaces: version })}
      onClose={onClose}
    >
      <TextField
        label="File"
        type="file"
        accept=".json"
        required
        className="py-[3px]"
        help="JSON as Export and touchstone mappings write it; at most 1 MiB."
        problem={problem}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void choose(file);
        }}
      />
      {rules && (
        <p role="status">
          {formatWhole(rules.length)} rules
          {replaced > 0 && `, which replace those of version ${version}`}.
        </p>
      )}
    </AskDialog>
  );
}

const problemOf = ({ size }: File): string =>
  size > MAX_BYTES ? 'must be at most 1 MiB' : 'must be JSON with a list of rules';

/** Returns the rules of a file; null if it has none. The server checks each. */
function rulesIn(text: string): MappingRule[] | null {
  try {
    const content: unknown = JSON.parse(text);
    const rules = (content as { rules?: unknown } | null)?.rules;
    return Array.isArray(rules) ? (rules as MappingRule[]) : null;
  } catch {
    return null;
  }
}
