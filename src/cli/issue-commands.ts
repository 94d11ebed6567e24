import type { CliCommands } from './command-entry.ts';

/** Commands that read and change issues of a server. */
export const ISSUE_COMMANDS: CliCommands = {
  issues: {
    group: 'Tests and traces',
    usage: '[NUMBER] [--status OPEN|RESOLVED|REJECTED|all] [--search TEXT] [--limit N] [--json]',
    meaning: 'list the open issues, or show one with the evidence that it is resolved',
    examples: ['issues', 'issues 31', 'issues --status all --search refund'],
    worksOn: 'server',
    load: async () => (await import('./issues-command.ts')).issuesCommand,
  },
  'issues create': {
    group: 'Tests and traces',
    usage:
      'TITLE [--description TEXT] [--priority LOW|MEDIUM|HIGH] [--trace ID] [--test ID] [--topic ID] [--evaluator ID] [--parent NUMBER] [--json]',
    meaning: 'create an issue; the trace, or that of the test, is linked to it',
    examples: ["issues create 'Promises the refund' --priority HIGH --trace $TRACE_ID"],
    worksOn: 'server',
    load: async () => (await import('./issue-changes.ts')).createIssueCommand,
  },
  'issues link': {
    group: 'Tests and traces',
    usage: 'NUMBER [TRACE…] [--query LINE] [--notes ID,…] [--json]',
    meaning: 'link traces to an issue: by their ids, all that a filter line finds, or those of notes',
    examples: ['issues link 31 $TRACE_ID', "issues link 31 --query 'verdict:fail topic:Refunds last:7d'"],
    worksOn: 'server',
    load: async () => (await import('./issue-changes.ts')).linkIssueCommand,
  },
  'issues note': {
    group: 'Tests and traces',
    usage: 'TRACE TEXT [--issue NUMBER] [--json]',
    meaning: 'write a note on a trace; --issue links both to an issue',
    examples: ["issues note $TRACE_ID 'The refund never came.' --issue 31"],
    worksOn: 'server',
    load: async () => (await import('./issue-changes.ts')).noteCommand,
  },
  'issues resolve': {
    group: 'Tests and traces',
    usage: 'NUMBER [--reason TEXT] [--without-evidence] [--json]',
    meaning:
      'resolve an issue; without all evidence that needs --without-evidence and a reason, and stays marked',
    examples: ['issues resolve 31', "issues resolve 31 --without-evidence --reason 'The feature is gone'"],
    worksOn: 'server',
    load: async () => (await import('./issue-changes.ts')).resolveIssueCommand,
  },
  'issues reopen': {
    group: 'Tests and traces',
    usage: 'NUMBER [--reason TEXT] [--json]',
    meaning: 'open a resolved or rejected issue again',
    examples: ["issues reopen 31 --reason 'It is back'"],
    worksOn: 'server',
    load: async () => (await import('./issue-changes.ts')).reopenIssueCommand,
  },
  'issues reject': {
    group: 'Tests and traces',
    usage: 'NUMBER --reason TEXT [--json]',
    meaning: 'reject an issue',
    examples: ["issues reject 31 --reason 'The answer is right'"],
    worksOn: 'server',
    load: async () => (await import('./issue-changes.ts')).rejectIssueCommand,
  },
  'issues merge': {
    group: 'Tests and traces',
    usage: 'NUMBER --into NUMBER [--json]',
    meaning: 'move the traces and notes of an issue to another, and reject it; this cannot be undone',
    examples: ['issues merge 32 --into 31'],
    worksOn: 'server',
    load: async () => (await import('./issue-changes.ts')).mergeIssueCommand,
  },
  'issues activity': {
    group: 'Tests and traces',
    usage: 'NUMBER [--limit N] [--json]',
    meaning: 'list what happened to an issue, latest first',
    examples: ['issues activity 31'],
    worksOn: 'server',
    load: async () => (await import('./issue-changes.ts')).issueActivityCommand,
  },
};
