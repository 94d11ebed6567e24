import type { ReactNode } from 'react';
import { AppLink, useUrlState } from '../app/url.tsx';
import { TabLinks } from '../ui/tabs.tsx';
import { CommandText } from '../ui/states.tsx';
import { VERIFYING_CODE } from './verifying-code.ts';

const DEFAULTS = { language: 'javascript' };

/** Shows how an app verifies the signature of a test, in several languages. */
export function CodeSamples(): ReactNode {
  const [{ language }] = useUrlState(DEFAULTS);
  const chosen = VERIFYING_CODE.find(({ id }) => id === language) ?? VERIFYING_CODE[0];
  return (
    <div className="grid max-w-[860px] gap-3">
      <p className="text-reading text-dim">
        The signature is the hexadecimal HMAC-SHA256 of the timestamp, a dot and the bytes of the body. The
        key is the decoded base64 after whsec_. Verify before you parse, and compare in constant time. An app
        that does not keep the secret can pass the request on to{' '}
        <code className="font-mono text-label">POST /v0/validate-webhook</code> instead.
      </p>
      <TabLinks
        label="Languages"
        current={chosen.id}
        tabs={VERIFYING_CODE.map(({ id, name }) => ({
          id,
          title: name,
          href: `/webhook?tab=code${id === DEFAULTS.language ? '' : `&language=${id}`}`,
        }))}
      />
      <CommandText label={`Verifying code in ${chosen.name}`} text={chosen.code} />
      <p className="text-dim">
        Does your check reject a request?{' '}
        <AppLink href="/webhook?tab=check" className="text-accent underline">
          Paste it
        </AppLink>
        .
      </p>
    </div>
  );
}
