import type { ReactNode } from 'react';
import { Options } from './field.tsx';

interface ChoiceProps {
  /** Names the list, also to screen readers. */
  label: string;
  value: string;
  choices: readonly (readonly [value: string, name: string])[];
  onChoose: (value: string) => void;
  /** Text of the first entry, which chooses none of them. */
  anyText?: string;
}

/** A list of choices in a bar; its first entry is none of them. */
export const Choice = ({
  label,
  value,
  choices,
  onChoose,
  anyText = `${label}: any`,
}: ChoiceProps): ReactNode => (
  <select
    aria-label={label}
    className="h-[26px] max-w-[220px] rounded-md border border-edge bg-page px-1.5 text-ink"
    value={value}
    onChange={(event) => onChoose(event.target.value)}
  >
    <option value="">{anyText}</option>
    <Options choices={choices} />
  </select>
);

/** Adds a chosen value that is not among the choices, so that the list shows it. */
export const withChosen = (
  choices: readonly (readonly [string, string])[],
  chosen: string,
): readonly (readonly [string, string])[] =>
  chosen === '' || choices.some(([value]) => value === chosen)
    ? choices
    : [[chosen, chosen.slice(0, 8)], ...choices];

/** Returns a function that makes the properties of the choice of a filter by its name. */
export const choicesOf =
  <T extends Readonly<Record<string, string>>>(filters: T, onChange: (patch: Partial<T>) => void) =>
  (name: keyof T & string) => ({
    value: filters[name] ?? '',
    onChoose: (value: string): void => onChange({ [name]: value } as Partial<T>),
  });
