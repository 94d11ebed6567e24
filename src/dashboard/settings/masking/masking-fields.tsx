import type { ReactNode } from 'react';
import { CheckField } from '../../ui/check-field.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Section } from '../../ui/panel.tsx';
import {
  DETECTORS,
  type ListName,
  listProblem,
  type MaskingFields,
  type ProblemAt,
  type TypedRules,
} from './masking-draft.ts';

export interface RuleFieldsProps {
  values: TypedRules;
  isFixed: boolean;
  problemAt: ProblemAt;
  onChange: (patch: Partial<TypedRules>) => void;
}

/** Switches of the detectors. */
export const DetectorFields = ({ values: { detectors }, isFixed, onChange }: RuleFieldsProps): ReactNode => (
  <Section title="Detectors">
    <p className="py-1 text-dim">
      Each value that is found becomes a token, such as{' '}
      <code className="font-mono">{'<email:3f9a1c20b7de>'}</code>. Equal values become equal tokens.
    </p>
    <div className="mt-1 grid gap-1.5 sm:grid-cols-2">
      {DETECTORS.map(([name, finds]) => (
        <CheckField
          key={name}
          disabled={isFixed}
          checked={detectors.includes(name)}
          onChange={(isOn) =>
            onChange({ detectors: isOn ? [...detectors, name] : detectors.filter((one) => one !== name) })
          }
        >
          <span>
            {finds} <code className="font-mono text-label text-dim">{name}</code>
          </span>
        </CheckField>
      ))}
    </div>
  </Section>
);

/** Lists of attributes by key. */
export function AttributeFields({
  values,
  rules,
  isFixed,
  problemAt,
  onChange,
}: RuleFieldsProps & { rules: MaskingFields }): ReactNode {
  const list = (name: ListName) => ({
    value: values[name],
    rows: 3,
    spellCheck: false,
    className: 'font-mono text-label',
    disabled: isFixed,
    problem: listProblem(rules, name, problemAt),
    onChange: ({ target }: { target: { value: string } }): void => onChange({ [name]: target.value }),
  });
  return (
    <Section title="Attributes">
      <p className="py-1 text-dim">
        One key per line. <code className="font-mono">http.*</code> stands for all keys with this beginning.
      </p>
      <div className="mt-1 grid gap-4">
        <TextArea
          label="Remove"
          help="Attributes that are not stored at all."
          {...list('removeAttributes')}
        />
        <TextArea
          label="Store as they are"
          help="Attributes in which nothing is masked."
          {...list('exemptAttributes')}
        />
        <CheckField
          disabled={isFixed}
          checked={!values.keepsAll}
          onChange={(isOn) => onChange({ keepsAll: !isOn })}
        >
          Keep listed attributes only, and remove all others
        </CheckField>
        {!values.keepsAll && (
          <TextArea
            label="Keep"
            help={
              rules.keepAttributes?.length === 0
                ? 'Nothing is listed: every attribute is removed, except service.name, service.test.id and touchstone.*.'
                : 'List gen_ai.* and what else your app reports: names, models, tokens and texts are read from attributes.'
            }
            {...list('keepAttributes')}
          />
        )}
      </div>
    </Section>
  );
}
