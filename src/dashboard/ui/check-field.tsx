import type { ReactNode } from 'react';

interface CheckFieldProps {
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A field that is on or off. */
export const CheckField = ({ checked, disabled = false, onChange, children }: CheckFieldProps): ReactNode => (
  <label className="flex items-center gap-2">
    <input
      type="checkbox"
      disabled={disabled}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
    {children}
  </label>
);
