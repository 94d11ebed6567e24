import type { ReactNode } from 'react';
import { TextArea } from '../ui/field.tsx';

interface ConfigFieldProps {
  value: string;
  problem: string | undefined;
  disabled?: boolean;
  onChange: (text: string) => void;
}

/** Field of the configuration of an evaluator, as JSON. */
export const ConfigField = ({ onChange, ...rest }: ConfigFieldProps): ReactNode => (
  <TextArea
    label="Configuration"
    help="A JSON object: what to check, by its type. The page “Evaluators” of the docs lists all keys."
    rows={9}
    spellCheck={false}
    className="font-mono text-label"
    onChange={({ target }) => onChange(target.value)}
    {...rest}
  />
);
