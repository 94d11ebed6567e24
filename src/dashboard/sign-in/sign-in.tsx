import { type ReactNode, useState } from 'react';
import type { Login } from '../../api/generated/schema.ts';
import { Brand } from '../ui/brand.tsx';
import { JoinForm } from './join-form.tsx';
import { KeyForm } from './key-form.tsx';
import type { Link } from './link.ts';
import { PasswordForm } from './password-form.tsx';

interface SignInProps {
  /** Link that the person opened, if any. */
  link: Link | null;
  /** True if the person was signed in until now. */
  hasExpired: boolean;
  onSignedIn: (login: Login) => void;
}

/** Lets a person in: by password, by API key, or by a link that makes an account. The URL stays, so that the requested page comes next. */
export function SignInForm({ link, hasExpired, onSignedIn }: SignInProps): ReactNode {
  const [way, setWay] = useState<'password' | 'key'>('password');
  return (
    <main className="mx-auto flex min-h-dvh max-w-[380px] flex-col px-4 pt-[14vh] pb-8">
      <div className="mb-5 flex justify-center">
        <Brand />
      </div>
      <div className="rounded-md border border-line bg-page p-5">
        {link ? (
          <JoinForm link={link} onSignedIn={onSignedIn} />
        ) : (
          <>
            <h1 className="mb-3 text-title font-semibold">Sign in</h1>
            {hasExpired && (
              <p role="status" className="mb-3 rounded-md bg-doubt-soft px-3 py-2 text-doubt">
                Your login has expired. Sign in again to continue where you were.
              </p>
            )}
            {way === 'password' ? (
              <PasswordForm onSignedIn={onSignedIn} />
            ) : (
              <KeyForm onSignedIn={onSignedIn} />
            )}
            <button
              type="button"
              className="mt-4 cursor-pointer text-accent underline"
              onClick={() => setWay(way === 'password' ? 'key' : 'password')}
            >
              {way === 'password' ? 'Use an API key instead' : 'Use a password instead'}
            </button>
          </>
        )}
      </div>
      {!link && (
        <p className="mt-4 text-label text-dim">
          No account yet? The first start of the server prints a link for the first administrator, who invites
          everybody else. <code className="font-mono">touchstone users link</code> makes a new one.
        </p>
      )}
    </main>
  );
}
