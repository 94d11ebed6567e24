import type { ReactNode } from 'react';
import { SERVER_URL } from '../app/base-path.ts';
import { useSession } from '../api/session.ts';
import { Section } from '../ui/panel.tsx';
import { CommandText } from '../ui/states.tsx';

/** Shows the command that forwards tests to an app without a public address. */
export function Listen({ isFirst }: { isFirst: boolean }): ReactNode {
  const { application } = useSession();
  return (
    <Section title="App on a laptop">
      <p className="mb-2 text-dim">
        This command receives the tests of the application and forwards them to a local address, with the same
        bytes and signature. While it runs, the URL of the webhook is not used
        {isFirst &&
          '; set up any address first, such as https://laptop.invalid/, because its secret signs the tests'}
        .
      </p>
      <CommandText
        label="Command that forwards tests"
        text={[
          'touchstone listen --forward http://localhost:3000/touchstone \\',
          `  --url ${SERVER_URL} \\`,
          `  --application-id ${application.id} \\`,
          '  --api-key YOUR_KEY',
        ].join('\n')}
      />
    </Section>
  );
}
