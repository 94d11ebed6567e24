import type { ReactNode } from 'react';

interface ChoiceProps {
  /** Names the list to screen readers, and stands for "any". */
  label: string;
  value: string;
  choices: readonly (readonly [value: string, name: string])[];
  onChoose: (value: string) => void;
}

/** A list of choices in a bar; its first entry is none of them. */
export const Choice = ({ label, value, choices, onChoose }: ChoiceProps): ReactNode => (
  <select
    aria-label={label}
    className="h-[26px] max-w-[220px] rounded-md border border-edge bg-page px-1.5 text-ink"
    value={value}
    onChange={(event) => onChoose(event.target.value)}
  >
    <option value="">{label}: any</option>
    {choices.map(([choice, name]) => (
      <option key={choice} value={choice}>
        {name}
      </option>
    ))}
  </select>
);
