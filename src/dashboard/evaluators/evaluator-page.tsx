import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { usePathParam, useUrlState } from '../app/url.tsx';
import { StatusBadge } from '../tasks/status-badge.tsx';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { openTab, type TabLink, TabLinks } from '../ui/tabs.tsx';
import { AgreementFlow } from './agreement-flow.tsx';
import { EvaluatorOverview } from './evaluator-overview.tsx';
import { EvaluatorSettings } from './evaluator-settings.tsx';
import { GateBadge } from './gate-badge.tsx';
import { EvaluatorVersions } from './versions.tsx';

const DEFAULTS = { tab: 'overview' };

/** Shows what an evaluator judges and how far it can be trusted; changes it. */
export function EvaluatorPage(): ReactNode {
  const id = usePathParam('definitionId');
  const [state] = useUrlState(DEFAULTS);
  const tabs = [
    { id: 'overview', title: 'Results', href: `/evaluators/${id}` },
    { id: 'agreement', title: 'Agreement', href: `/evaluators/${id}?tab=agreement` },
    { id: 'settings', title: 'Settings', href: `/evaluators/${id}?tab=settings` },
    { id: 'versions', title: 'Versions', href: `/evaluators/${id}?tab=versions` },
  ] as const satisfies readonly TabLink[];
  const tab = openTab(tabs, state.tab);
  const definition = useApi('/v0/definitions/{id}', { path: { id } });
  const loaded = definition.data?.data;
  return (
    <Page
      title={loaded?.name ?? 'Evaluator'}
      back="/evaluators"
      facts={
        loaded && (
          <>
            <StatusBadge status={loaded.status} />
            <Badge>{loaded.type}</Badge>
            <Badge title="Grows when what it judges by changes">Version {loaded.version}</Badge>
            <GateBadge definition={loaded} />
          </>
        )
      }
      bar={<TabLinks label="Evaluator" current={tab} tabs={tabs} />}
    >
      <Loaded of={definition} isFlush>
        {({ data }) =>
          tab === 'settings' ? (
            <EvaluatorSettings definition={data} />
          ) : tab === 'agreement' ? (
            <AgreementFlow definition={data} />
          ) : tab === 'versions' ? (
            <EvaluatorVersions definition={data} />
          ) : (
            <EvaluatorOverview definition={data} />
          )
        }
      </Loaded>
    </Page>
  );
}
