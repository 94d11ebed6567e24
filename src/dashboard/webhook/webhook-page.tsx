import type { ReactNode } from 'react';
import { useScope } from '../api/session.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { openTab, type TabLink, TabLinks } from '../ui/tabs.tsx';
import { CodeSamples } from './code-samples.tsx';
import { DeliveryList } from './deliveries.tsx';
import { DeliveryPage } from './delivery-detail.tsx';
import { Listen } from './listen.tsx';
import { Sample } from './sample.tsx';
import { WebhookSecret } from './secret.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { useWebhook } from './use-webhook.ts';

const DEFAULTS = { tab: 'settings', delivery: '', outcome: '', kind: '', skip: '0' };
const TABS = [
  { id: 'settings', title: 'Settings', href: '/webhook' },
  { id: 'deliveries', title: 'Deliveries', href: '/webhook?tab=deliveries' },
  { id: 'check', title: 'Check a signature', href: '/webhook?tab=check' },
  { id: 'code', title: 'Verifying code', href: '/webhook?tab=code' },
] as const satisfies readonly TabLink[];

export function WebhookPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const webhook = useWebhook();
  const found = webhook.data;
  const tab = openTab(TABS, state.tab);
  return (
    <Page
      title="Webhook"
      facts={
        found &&
        (found.enabled ? <Badge tone="pass">✓ Enabled</Badge> : <Badge tone="doubt">! Disabled</Badge>)
      }
      bar={<TabLinks label="Parts of the webhook" tabs={TABS} current={tab} />}
    >
      <div className="p-4">
        {tab === 'deliveries' && (
          <DeliveryList state={state} onChange={change}>
            {state.delivery !== '' && <DeliveryPage id={state.delivery} />}
          </DeliveryList>
        )}
        {tab === 'check' && <SignatureCheck />}
        {tab === 'code' && <CodeSamples />}
        {tab === 'settings' && <Loaded of={webhook}>{() => <Settings />}</Loaded>}
      </div>
    </Page>
  );
}

function Settings(): ReactNode {
  const { data: webhook = null } = useWebhook();
  const mayWrite = useScope('write');
  const mayAdmin = useScope('admin');
  const mayCreate = webhook !== null ? mayWrite : mayAdmin;
  return (
    <div className="grid grid-cols-[minmax(0,560px)_minmax(0,1fr)] gap-8 max-[1100px]:grid-cols-1">
      <Section title={webhook === null ? 'Set up the webhook' : 'Configuration'}>
        {webhook === null && (
          <p className="mt-1 mb-3 text-reading text-dim">
            Touchstone sends each test as a signed POST to your app. Your app verifies the signature, runs,
            responds with 200 and sends its spans. The{' '}
            <AppLink href="/webhook?tab=code" className="text-accent underline">
              verifying code
            </AppLink>{' '}
            is ready to copy.
          </p>
        )}
        {!mayCreate && (
          <p className="mb-2 text-dim">
            {webhook === null ? 'An administrator can set it up.' : 'Your role only lets you look.'}
          </p>
        )}
        <SettingsForm webhook={webhook} isReadOnly={!mayCreate} />
      </Section>
      <div className="grid content-start gap-6">
        {webhook !== null && <WebhookSecret webhook={webhook} />}
        {webhook !== null && mayWrite && <Sample />}
        <Listen isFirst={webhook === null} />
      </div>
    </div>
  );
}
