import { type ReactNode, useId } from 'react';

interface RowCheckboxProps {
  /** Ids of the elements that name the row to screen readers. */
  namedBy: readonly string[];
  isSelected: boolean;
  onToggle: () => void;
}

/** Selects a row of a list; its name is "Select" and what names the row. */
export function RowCheckbox({ namedBy, isSelected, onToggle }: RowCheckboxProps): ReactNode {
  const id = useId();
  return (
    <input
      type="checkbox"
      id={id}
      aria-label="Select"
      aria-labelledby={[id, ...namedBy].join(' ')}
      checked={isSelected}
      onChange={onToggle}
    />
  );
}
