import type { ReactNode } from 'react';
import { TextField } from './field.tsx';

interface CredentialProps {
  label: string;
  /** Name by which password managers know the field. */
  kind: 'current-password' | 'new-password' | 'username';
  value: string;
  problem?: string | undefined;
  autoFocus?: boolean;
  onChange: (value: string) => void;
}

/** A field of a form that signs in: an email address, a password, or a new password. */
export const CredentialField = ({ kind, onChange, ...rest }: CredentialProps): ReactNode => (
  <TextField
    type={kind === 'username' ? 'email' : 'password'}
    autoComplete={kind}
    required
    {...(kind === 'new-password' && { minLength: 12, help: 'At least 12 characters.' })}
    {...rest}
    onChange={({ target }) => onChange(target.value)}
  />
);
