import { type ReactNode, useState } from 'react';
import type { MappingRule } from '../../../api/generated/schema.ts';
import { useScope } from '../../api/session.ts';
import { useAction, useApi } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/panel.tsx';
import { saveBlob } from '../../ui/save-blob.ts';
import { announce } from '../../ui/status-line.tsx';
import { ImportRulesDialog } from './import-rules-dialog.tsx';
import { OwnRuleDialog } from './own-rule-dialog.tsx';

/** Keys that no rule reads, each of which can be mapped. */
export function UnreadKeys({ keys }: { keys: readonly string[] }): ReactNode {
  const isEditor = useScope('write');
  const [mapped, setMapped] = useState<string | null>(null);
  if (keys.length === 0) return null;
  return (
    <Section title={`Read by no rule · ${keys.length}`}>
      <ul className="grid gap-1">
        {keys.map((key) => (
          <li key={key} className="flex items-center justify-between gap-2">
            <code className="font-mono text-label break-all">{key}</code>
            {isEditor && (
              <Button look="quiet" aria-label={`Map ${key}`} onClick={() => setMapped(key)}>
                Map…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mapped !== null && <OwnRuleDialog attribute={mapped} onClose={() => setMapped(null)} />}
    </Section>
  );
}

/** Own mapping rules of the application: removed one by one, saved as a file, and replaced by those of a file. */
export function OwnRulesSection(): ReactNode {
  const isEditor = useScope('write');
  const current = useApi('/v0/mappings', {}).data?.data;
  const save = useAction(
    ['/v0/mappings', '/v0/traces'],
    (api, body: { rules: MappingRule[]; replaces: number }) => api.PUT('/v0/mappings', { body }),
    () => announce('Rule removed'),
  );
  const [isImporting, setImporting] = useState(false);
  if (!current || (current.rules.length === 0 && !isEditor)) return null;
  const { rules, version } = current;
  const exported = (): void =>
    saveBlob(new Blob([JSON.stringify({ rules }, null, 2)], { type: 'application/json' }), 'mappings.json');
  return (
    <Section
      title={version === 0 ? 'Own rules' : `Own rules · version ${version}`}
      actions={
        <>
          {isEditor && (
            <Button look="quiet" onClick={() => setImporting(true)}>
              Import…
            </Button>
          )}
          {rules.length > 0 && (
            <Button look="quiet" onClick={exported}>
              Export
            </Button>
          )}
        </>
      }
    >
      {rules.length === 0 && <p className="text-dim">No attribute is read by a rule of this application.</p>}
      <ul className="grid gap-1">
        {rules.map((rule, index) => (
          <li key={index} className="flex items-center justify-between gap-2">
            <span className="min-w-0 break-words">
              <code className="font-mono text-label break-all">{rule.key}</code>
              {rule.path !== undefined && <span className="text-dim"> · {rule.path}</span>} → {rule.field}
              {rule.kind !== undefined && <span className="text-dim"> · kind {rule.kind}</span>}
            </span>
            {isEditor && (
              <Button
                look="quiet"
                aria-label={`Remove the rule of ${rule.key}`}
                disabled={save.isPending}
                onClick={() => save.mutate({ rules: rules.filter((one) => one !== rule), replaces: version })}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {save.error && <p className="text-fail">{save.error.message}</p>}
      {isImporting && (
        <ImportRulesDialog version={version} replaced={rules.length} onClose={() => setImporting(false)} />
      )}
    </Section>
  );
}
