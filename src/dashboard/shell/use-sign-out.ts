import { useSession } from '../api/session.ts';
import { announce } from '../ui/status-line.tsx';

/** Returns a function that signs out, and reports a failure. */
export function useSignOut(): () => void {
  const { signOut } = useSession();
  return () => {
    signOut().catch((error: Error) => announce(`Could not sign out: ${error.message}`));
  };
}
