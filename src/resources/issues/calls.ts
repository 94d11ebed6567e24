import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { issueActionCommands } from './actions.ts';
import type { issueEvidenceQueries } from './evidence.ts';
import type { issueLinkCommands, issueLinkQueries } from './link-store.ts';
import type { issueMergeCommands } from './merge.ts';
import type { runSetIssueQueries } from './run-set-issues.ts';
import type { paretoQueries } from './pareto.ts';
import type { relapseQueries } from './relapse-store.ts';
import type { issueCommands, issueQueries } from './store.ts';

export const { createIssue, updateIssue, deleteIssue } = commandsOf<typeof issueCommands>();
export const { getIssue, listIssues, listIssueActivity } = queriesOf<typeof issueQueries>();
export const { linkTraces, linkNotes, noteLinked, unlinkTrace } = commandsOf<typeof issueLinkCommands>();
export const { listOccurrences, resolveIssueId, requireNotes } = queriesOf<typeof issueLinkQueries>();
export const { resolveIssue, reopenIssue, rejectIssue, reopenRelapsed } =
  commandsOf<typeof issueActionCommands>();
export const { beginMerge, moveLinks } = commandsOf<typeof issueMergeCommands>();
export const { readEvidence } = queriesOf<typeof issueEvidenceQueries>();
export const { listResolved, findRelapse } = queriesOf<typeof relapseQueries>();
export const { listRunSetIssues } = queriesOf<typeof runSetIssueQueries>();
export const { readPareto } = queriesOf<typeof paretoQueries>();
