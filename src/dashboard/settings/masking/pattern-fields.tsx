import type { ReactNode } from 'react';
import type { Masking } from '../../../api/generated/schema.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/panel.tsx';
import type { RuleFieldsProps } from './masking-fields.tsx';

/** Most patterns that the server takes. */
const MAX_PATTERNS = 20;

interface PatternFieldsProps extends RuleFieldsProps {
  /** Called when patterns change their places, so that problems by place are no longer true. */
  onMove: () => void;
}

/** The application's own patterns. */
export function PatternFields(props: PatternFieldsProps): ReactNode {
  const { values, isFixed, problemAt, onChange, onMove } = props;
  const { patterns } = values;
  const problem = problemAt('patterns');
  return (
    <Section
      title="Own patterns"
      actions={
        !isFixed && (
          <Button
            disabled={patterns.length >= MAX_PATTERNS}
            onClick={() => onChange({ patterns: [...patterns, { name: '', pattern: '' }] })}
          >
            Add a pattern
          </Button>
        )
      }
    >
      <p className="py-1 text-dim">
        Regular expressions for values that no detector knows. They precede the detectors, and case matters.
        {patterns.length === 0 && ' There is none yet.'}
      </p>
      {problem !== undefined && <p className="text-label text-fail">✕ {problem}</p>}
      <ol className="mt-1 grid gap-3 empty:hidden">
        {patterns.map((pattern, index) => (
          <PatternRow
            key={index}
            pattern={pattern}
            isFixed={isFixed}
            problem={(field) => problemAt('patterns', String(index), field)}
            onChange={(patch) =>
              onChange({ patterns: patterns.map((one, at) => (at === index ? { ...one, ...patch } : one)) })
            }
            onRemove={() => {
              onMove();
              onChange({ patterns: patterns.filter((_, at) => at !== index) });
            }}
          />
        ))}
      </ol>
    </Section>
  );
}

type OwnPattern = Masking['patterns'][number];

interface PatternRowProps {
  pattern: OwnPattern;
  isFixed: boolean;
  problem: (field: keyof OwnPattern) => string | undefined;
  onChange: (patch: Partial<OwnPattern>) => void;
  onRemove: () => void;
}

const PatternRow = ({
  pattern: { name, pattern },
  isFixed,
  problem,
  onChange,
  onRemove,
}: PatternRowProps): ReactNode => (
  <li className="grid grid-cols-[160px_minmax(0,1fr)_auto] items-start gap-3">
    <TextField
      label="Name"
      value={name}
      disabled={isFixed}
      problem={problem('name')}
      help={name !== '' && <code className="font-mono">{`<${name}:…>`}</code>}
      onChange={({ target }) => onChange({ name: target.value })}
    />
    <TextField
      label="Pattern"
      className="font-mono text-label"
      spellCheck={false}
      placeholder="EMP-\d{6}"
      value={pattern}
      disabled={isFixed}
      problem={problem('pattern')}
      onChange={({ target }) => onChange({ pattern: target.value })}
    />
    {!isFixed && (
      <Button look="quiet" className="mt-[22px]" onClick={onRemove}>
        Remove<span className="sr-only"> the pattern {name}</span>
      </Button>
    )}
  </li>
);
