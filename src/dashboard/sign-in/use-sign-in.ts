import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { Login } from '../../api/generated/schema.ts';
import { type ApiClient, type Call, createDashboardClient } from '../api/client.ts';

export interface LoginAttempt {
  error: unknown;
  isBusy: boolean;
  submit: () => void;
}

/** Makes the call that signs in, when the form is sent. */
export function useSignIn(
  call: (client: ApiClient) => Call<Login>,
  onSignedIn: (login: Login) => void,
): LoginAttempt {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      onSignedIn(await answerOf(call(createDashboardClient())));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return {
    error,
    isBusy,
    submit: () => void attempt(),
  };
}
