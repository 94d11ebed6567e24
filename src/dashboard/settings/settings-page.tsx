import type { ReactNode } from 'react';
import { useScope } from '../api/session.ts';
import { useUrlState } from '../app/url.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { type TabLink, TabLinks } from '../ui/tabs.tsx';
import { ApiKeys } from './api-keys.tsx';
import { ApplicationForm } from './application-form.tsx';
import { AuditLog } from './audit.tsx';
import { IssueWebhookTab } from './issue-webhook/issue-webhook-tab.tsx';
import { MaskingForm } from './masking/masking-form.tsx';
import { Members } from './members.tsx';
import { OwnLogins } from './own-logins.tsx';
import { RetentionForm } from './retention-form.tsx';

const TABS = [
  { id: 'application', title: 'Application', content: ApplicationForm, isForAdmins: false },
  { id: 'keys', title: 'API keys', content: ApiKeys, isForAdmins: true },
  { id: 'members', title: 'Members', content: Members, isForAdmins: true },
  { id: 'retention', title: 'Retention', content: RetentionForm, isForAdmins: false },
  { id: 'masking', title: 'Masking', content: MaskingForm, isForAdmins: false },
  { id: 'issue-webhook', title: 'Issue webhook', content: IssueWebhookTab, isForAdmins: false },
  { id: 'audit', title: 'Audit', content: AuditLog, isForAdmins: true },
  { id: 'logins', title: 'Your logins', content: OwnLogins, isForAdmins: false },
] as const;
const DEFAULTS = { tab: 'application' };
const LINKS = TABS.map(
  ({ id, title }): TabLink => ({
    id,
    title,
    href: id === DEFAULTS.tab ? '/settings' : `/settings?tab=${id}`,
  }),
);

export function SettingsPage(): ReactNode {
  const [{ tab }] = useUrlState(DEFAULTS);
  const isAdmin = useScope('admin');
  const { id, title, content: Content, isForAdmins } = TABS.find((one) => one.id === tab) ?? TABS[0];
  return (
    <Page title="Settings" bar={<TabLinks label="Settings" tabs={LINKS} current={id} />}>
      {isForAdmins && !isAdmin ? (
        <Empty title={`${title}: for administrators`}>
          <p>
            Your role in this application does not include this page. An administrator can change it under
            Members.
          </p>
        </Empty>
      ) : (
        <Content />
      )}
    </Page>
  );
}
