import { type ReactNode, useState } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { type ReadAnswer, useApi } from '../api/use-api.ts';
import type { Href } from '../app/paths.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { ExamplesDialog } from '../selection/examples-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { classNames } from '../ui/class-names.ts';
import { DraftEvaluatorDialog } from './draft-evaluator-dialog.tsx';
import { MeasureButton } from './measure-button.tsx';
import type { IssueAsked } from './issue-actions.tsx';

type IssueEvidence = ReadAnswer<'/v0/issues/{id}/evidence'>['data'][number];
type EvidenceKind = IssueEvidence['kind'];

const EVIDENCE_NAMES: Readonly<Record<EvidenceKind, string>> = {
  EVALUATOR: 'An evaluator detects it',
  VERIFIED: 'The evaluator agrees with reviewers',
  EXAMPLES: 'Regression examples',
  EXAMPLES_PASS: 'The examples pass',
  GONE: 'Gone from a random sample',
};

interface EvidenceProps {
  issue: Issue;
  onAsk: (asked: IssueAsked) => void;
}

/** Says what proves that an issue is gone: as it is now, or as it was when the issue was resolved. */
export function EvidenceSection({ issue, onAsk }: EvidenceProps): ReactNode {
  const { number, status, resolution, linkCount, modifiedAt } = issue;
  const mayWrite = useScope('write');
  const evidence = useApi(
    '/v0/issues/{id}/evidence',
    { path: { id: String(number) } },
    { enabled: status === 'OPEN', version: `${modifiedAt} ${linkCount}` },
  );
  if (resolution !== null)
    return (
      <Section title="Evidence when it was resolved">
        <EvidenceList evidence={resolution.evidence} issue={issue} />
      </Section>
    );
  if (status !== 'OPEN') return null;
  return (
    <Section title="Evidence">
      <Loaded of={evidence}>
        {({ data }) => {
          const missing = data.filter(({ isMet }) => !isMet).length;
          return (
            <>
              <EvidenceList evidence={data} issue={issue} offersHelp={mayWrite} />
              {missing > 0 && (
                <p className="mt-2 rounded-md border border-doubt px-3 py-2">
                  <b className="font-semibold">Cannot be resolved yet.</b> {formatWhole(missing)} of{' '}
                  {formatWhole(data.length)} pieces of evidence {missing === 1 ? 'is' : 'are'} missing.{' '}
                  {mayWrite && (
                    <>
                      <button
                        type="button"
                        className="cursor-pointer text-accent underline"
                        onClick={() => onAsk('unproven')}
                      >
                        Resolve without evidence …
                      </button>{' '}
                      requires a reason and is marked as such.
                    </>
                  )}
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface EvidenceListProps {
  evidence: readonly IssueEvidence[];
  issue: Issue;
  offersHelp?: boolean;
}

const EvidenceList = ({ evidence, issue, offersHelp = false }: EvidenceListProps): ReactNode => (
  <ul>
    {evidence.map((one) => (
      <li key={one.kind} className="flex items-start gap-2 border-t border-line py-2">
        <span aria-hidden="true" className={classNames('w-4 shrink-0', one.isMet ? 'text-pass' : 'text-dim')}>
          {one.isMet ? '✓' : '○'}
        </span>
        <div className="min-w-0 grow">
          <p>
            {EVIDENCE_NAMES[one.kind]}
            <span className="sr-only">: {one.isMet ? 'there' : 'missing'}</span>
          </p>
          <p className="text-label text-dim [overflow-wrap:anywhere]">{one.message}</p>
        </div>
        <EvidenceLink evidence={one} />
        {offersHelp && one.kind === 'EVALUATOR' && one.isMet && <MeasureButton issue={issue} />}
        {offersHelp && !one.isMet && <EvidenceHelp evidence={one} issue={issue} />}
      </li>
    ))}
  </ul>
);

/** Leads to what a piece of evidence is about. */
function EvidenceLink({ evidence }: { evidence: IssueEvidence }): ReactNode {
  const href = hrefOf(evidence);
  if (href === null) return null;
  return (
    <AppLink href={href} className="shrink-0 text-accent underline">
      open<span className="sr-only"> {EVIDENCE_NAMES[evidence.kind]}</span>
    </AppLink>
  );
}

function hrefOf({ kind, evalDefinitionId, taskIds, queueId }: IssueEvidence): Href | null {
  const [taskId] = taskIds;
  if (evalDefinitionId !== null) return `/evaluators/${evalDefinitionId}`;
  if (taskId !== undefined) return `/tasks/${taskId}${kind === 'EXAMPLES' ? '?tab=examples' : ''}`;
  if (kind === 'GONE') return queueId === null ? '/review' : `/review/${queueId}`;
  return null;
}

/** Does what is missing, where this page can. */
function EvidenceHelp({ evidence: { kind }, issue }: { evidence: IssueEvidence; issue: Issue }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { number, linkCount, deletedCount } = issue;
  const count = linkCount - deletedCount;
  if (kind === 'EVALUATOR')
    return (
      <>
        <AppLink href={`/issues/${number}?tab=settings`} className="shrink-0 text-accent underline">
          choose<span className="sr-only"> an evaluator</span>
        </AppLink>
        <Button onClick={() => setOpen(true)}>From the notes …</Button>
        {isOpen && <DraftEvaluatorDialog issue={issue} onClose={() => setOpen(false)} />}
      </>
    );
  if (kind === 'VERIFIED' && issue.evalDefinitionId !== null)
    return (
      <AppLink
        href={`/evaluators/${issue.evalDefinitionId}?tab=agreement`}
        className="shrink-0 text-accent underline"
      >
        next step<span className="sr-only"> to a verified evaluator</span>
      </AppLink>
    );
  if (kind !== 'EXAMPLES' || count <= 0) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Create {formatWhole(count)}</Button>
      {isOpen && (
        <ExamplesDialog
          selection={{ traces: { q: `issue:${number}` } }}
          count={count}
          subset={`issue-${number}`}
          {...(issue.taskId !== null && { taskId: issue.taskId })}
          onClose={() => setOpen(false)}
          onDone={() => undefined}
        />
      )}
    </>
  );
}
