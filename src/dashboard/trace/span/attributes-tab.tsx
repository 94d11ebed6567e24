import type { ReactNode } from 'react';
import type { SpanDetail } from '../../../api/generated/schema.ts';
import { formatWhole } from '../../format/number.ts';
import { Section } from '../../ui/panel.tsx';
import { JsonTree } from './json-tree.tsx';

/** Attributes of the span, its resource and scope, its events, log records and links, as they were sent. */
export function AttributesTab({ span }: { span: SpanDetail }): ReactNode {
  const { attributes, events, logs = [], links, resource, scope } = span;
  const dropped = span.droppedAttributesCount + span.droppedEventsCount + span.droppedLinksCount;
  return (
    <div className="grid gap-4">
      {dropped > 0 && (
        <p className="text-doubt">
          ? The sender dropped {formatWhole(dropped)} attributes, events or links of this span.
        </p>
      )}
      <Attributes title="Attributes" values={attributes} />
      {events.length > 0 && <Records title="Events" records={events} />}
      {logs.length > 0 && <Records title="Log records" records={logs} />}
      {links.length > 0 && <Records title="Links" records={links} />}
      <Attributes title="Resource" values={membersOf(resource['attributes'])} />
      <Attributes
        title="Scope"
        values={{ name: scope['name'], version: scope['version'], ...membersOf(scope['attributes']) }}
      />
    </div>
  );
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function Attributes({ title, values }: { title: string; values: Record<string, unknown> }): ReactNode {
  const entries = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return null;
  return (
    <Section title={title}>
      <dl>
        {entries.map(([key, value]) => (
          <div key={key} className="border-b border-line py-1">
            <dt className="font-mono text-label break-all text-dim">{key}</dt>
            <dd>
              <JsonTree value={value} label={key} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const Records = ({ title, records }: { title: string; records: readonly unknown[] }): ReactNode => (
  <Section title={title}>
    <JsonTree value={records} label={title} />
  </Section>
);
