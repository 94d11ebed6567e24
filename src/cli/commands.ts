import type { CliCommands } from './command-entry.ts';
import { ISSUE_COMMANDS } from './issue-commands.ts';
import { OWN_RULE_COMMANDS } from './own-rule-commands.ts';

/** All commands in the order of the help. */
export const COMMANDS: CliCommands = {
  serve: {
    group: 'Server',
    usage: '[settings]',
    meaning: 'start the server (default)',
    examples: ['serve', 'serve --port 8080 --data-dir /var/lib/touchstone'],
    worksOn: 'store',
    load: async () => (await import('./serve-command.ts')).serve,
  },
  listen: {
    group: 'Server',
    usage: '--forward URL',
    meaning: 'receive the deliveries of a webhook on this machine and forward them to URL',
    examples: ['listen --forward http://localhost:3000/hook'],
    worksOn: 'server',
    load: async () => (await import('./listen.ts')).listen,
  },

  traces: {
    group: 'Tests and traces',
    usage: '[--search TEXT] [--session ID] [--errors] [--limit N] [--json]',
    meaning: 'list the latest traces',
    examples: ['traces', 'traces --errors --limit 5', 'traces --search refund --json'],
    worksOn: 'server',
    load: async () => (await import('./traces-command.ts')).tracesCommand,
  },
  tail: {
    group: 'Tests and traces',
    usage: '[--search TEXT] [--session ID] [--test ID] [--errors] [--tests] [--json]',
    meaning:
      'print traces as they arrive or grow, one line each, until Ctrl+C; --tests: only those of tests. Connects again when the connection breaks',
    examples: ['tail', 'tail --errors --json'],
    worksOn: 'server',
    load: async () => (await import('./tail.ts')).tail,
  },
  trace: {
    group: 'Tests and traces',
    usage: 'ID [--json]',
    meaning: 'draw the spans of a trace; ID is that of the trace or of its test',
    examples: ['trace $TEST_ID'],
    worksOn: 'server',
    load: async () => (await import('./trace-command.ts')).showTrace,
  },
  tasks: {
    group: 'Tests and traces',
    usage: '[--search TEXT] [--limit N] [--json]',
    meaning: 'list the tasks with their pass rates',
    examples: ['tasks', 'tasks --search refund'],
    worksOn: 'server',
    load: async () => (await import('./tasks-command.ts')).tasksCommand,
  },
  run: {
    group: 'Tests and traces',
    usage: 'TASK… [--timeout 15m] [--json]',
    meaning: 'run one test of each of the given tasks, wait, and print the results',
    examples: ['run 1f4e7c2a-9b3d-4e5f-8a6b-7c8d9e0f1a02'],
    worksOn: 'server',
    load: async () => (await import('./run-command.ts')).runTasks,
  },
  tests: {
    group: 'Tests and traces',
    usage: '[--task ID] [--run ID] [--status STATUS] [--limit N] [--json]',
    meaning: 'list the latest tests with their verdicts',
    examples: ['tests', 'tests --status FAILED'],
    worksOn: 'server',
    load: async () => (await import('./tests-command.ts')).testsCommand,
  },
  ...ISSUE_COMMANDS,
  test: {
    group: 'Tests and traces',
    usage:
      '--tasks ID,…|all|topic:ID|tag:ID [--repeat N] [--examples all|split:NAME] [--prompt-seed N] [--fail-under 90] [--strict] [--question examples-like-these|these-tasks|these-examples] [--allow-skipped N] [--with-advisory] [--until-sure [--max N]] [--baseline RUNSET|previous|branch:NAME|RUN,… [--no-regression [--margin 2]] [--rejudge-baseline]] [--commit SHA] [--branch NAME] [--title TEXT] [--junit FILE] [--markdown FILE] [--json] [--timeout 15m]\n--plan [--fail-under 90] [--strict] [--true-rate 80] [--repeat N [--correlation 0.5]]',
    meaning:
      'run tests; the exit code shows whether enough of them passed. --plan shows how often an app of that true pass rate would pass, by the number of examples',
    examples: ['test --tasks all --repeat 3 --fail-under 90', 'test --plan --true-rate 85'],
    worksOn: 'server',
    load: async () => (await import('./test-command.ts')).testCommand,
  },
  evidence: {
    group: 'Tests and traces',
    usage: 'RUNSET > FILE',
    meaning:
      'write the signed evidence of a recorded decision: what was judged, by what, every prompt and answer, the decision and its inputs',
    examples: ['evidence 3b6c9d4e-1f2a-4b3c-8d4e-5f6a7b8c9d04 > evidence.jsonl'],
    worksOn: 'server',
    load: async () => (await import('./evidence.ts')).writeEvidence,
  },
  'evidence verify': {
    group: 'Tests and traces',
    usage: 'FILE [--key FINGERPRINT] [--json]',
    meaning:
      'check the signature of evidence and compute its decision again, without a server. --key requires that this key signed it',
    examples: ['evidence verify evidence.jsonl'],
    worksOn: 'nothing',
    load: async () => (await import('./evidence.ts')).checkEvidence,
  },
  mcp: {
    group: 'Tests and traces',
    usage: '[--allow-writes] [--port PORT]',
    meaning:
      'serve an agent by the Model Context Protocol, on standard input and output or at a port of this machine; without --allow-writes it only reads',
    examples: ['mcp', 'mcp --allow-writes --port 4319'],
    worksOn: 'server',
    load: async () => (await import('./mcp-command.ts')).serveAgent,
  },

  import: {
    group: 'Data',
    usage: 'FILE --task ID [--map input=COLUMN,expected=COLUMN] [--examples-only] [--dry-run] [--json]',
    meaning:
      'import the examples of a task; FILE is CSV, Excel, JSONL, JSON, YAML or Parquet. Large files are imported in steps, and importing a file again updates the examples',
    examples: ['import questions.csv --task 1f4e7c2a-9b3d-4e5f-8a6b-7c8d9e0f1a02 --dry-run'],
    worksOn: 'server',
    load: async () => (await import('./import.ts')).importExamplesCommand,
  },
  'import traces': {
    group: 'Data',
    usage: 'FILE [--json]',
    meaning:
      'send the traces of an OTLP file to a server; FILE comes from export or from the file exporter of the Collector, and may be compressed. Traces that are already stored are not doubled',
    examples: ['import traces traces.otlp.jsonl.gz'],
    worksOn: 'server',
    load: async () => (await import('./import-traces.ts')).importTraces,
  },
  export: {
    group: 'Data',
    usage:
      'traces|tests|examples --output FILE [--format csv|jsonl|parquet|otlp-jsonl|otlp-proto] [--gzip|--zstd] [--bom] [--task ID] [--run ID] [--limit N] [--json]',
    meaning:
      'write a list to a file; tests include their verdicts. Without --format, the extension of the file decides. The formats otlp-jsonl and otlp-proto contain the complete traces, for import traces or a Collector',
    examples: ['export tests --output tests.csv', 'export traces --output traces.otlp.jsonl.gz'],
    worksOn: 'server',
    load: async () => (await import('./export.ts')).exportFile,
  },
  doctor: {
    group: 'Server',
    usage: '[--data-dir FOLDER] [--json]',
    meaning:
      'check a running server, or a data folder: keys, rejected spans, webhook, clocks, disk and queues; exit code 1 if there is a problem',
    examples: ['doctor', 'doctor --data-dir data --json'],
    worksOn: 'server',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  'judges check': {
    group: 'Server',
    usage: '[NAME] [--judges-file FILE] [--dry-run] [--json]',
    meaning:
      'send a dozen questions to the judge models, print what each endpoint needs, and write it into the judges file; --dry-run writes nothing. The questions cost what any question costs',
    examples: ['judges check', 'judges check claude --dry-run'],
    worksOn: 'nothing',
    load: async () => (await import('./judges-check.ts')).checkJudges,
  },
  backup: {
    group: 'Data',
    usage: 'FILE [--with-secret-key] [--overwrite] [--json]',
    meaning: 'copy the store to a file, also while a server runs, and check the copy',
    examples: ['backup touchstone.db --with-secret-key'],
    worksOn: 'store',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    group: 'Data',
    usage: 'FILE [--replace] [--json]',
    meaning:
      'copy a backup into a data folder that no server uses; --replace moves a store that is there aside',
    examples: ['restore touchstone.db --data-dir data'],
    worksOn: 'store',
    load: async () => (await import('./restore.ts')).restore,
  },
  copy: {
    group: 'Data',
    usage: 'FOLDER|database|ADDRESS FOLDER|database|ADDRESS [--json]',
    meaning:
      'copy a store without a server from a data folder to an empty PostgreSQL database, or back, and compare both; an interrupted copy continues when it is repeated. ADDRESS is postgres://…; `database` is that of TOUCHSTONE_DATABASE_URL',
    examples: ['copy data database', 'copy postgres://touchstone@db.example.com/touchstone data'],
    worksOn: 'nothing',
    load: async () => (await import('./copy.ts')).copyCommand,
  },
  prune: {
    group: 'Data',
    usage: '[--application-id ID] [--days N] [--max-bytes N] [--dry-run] [--json]',
    meaning:
      'delete what retention no longer keeps, or what the given limits do not keep, and give the space back; works while a server runs',
    examples: ['prune --dry-run', 'prune --days 30'],
    worksOn: 'store',
    load: async () => (await import('./prune.ts')).prune,
  },
  verify: {
    group: 'Data',
    usage: '[--deep] [--repair] [--json]',
    meaning:
      'read every page and block of the store and report what does not fit together; changes nothing, works while a server runs. --deep: also compute counts, sums, metrics and verdicts again and follow every reference. --repair: while no server runs, write a backup and store again what can be computed again',
    examples: ['verify --json', 'verify --deep', 'verify --repair'],
    worksOn: 'store',
    load: async () => (await import('./verify.ts')).verify,
  },
  erase: {
    group: 'Data',
    usage: '--user ID | --session ID [--application-id ID] [--json]',
    meaning: 'delete all traces of a user or session, and print a receipt; works while a server runs',
    examples: ['erase --user user-4711 --json'],
    worksOn: 'store',
    load: async () => (await import('./erase.ts')).erase,
  },
  migrate: {
    group: 'Data',
    usage: '[--no-snapshot] [--json]',
    meaning: 'migrate the store of an older version while no server runs; serve does so itself',
    examples: ['migrate'],
    worksOn: 'store',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  'migrate status': {
    group: 'Data',
    usage: '[--json]',
    meaning: 'print the schema of the store and its snapshots; works while a server runs',
    examples: ['migrate status'],
    worksOn: 'store',
    load: async () => (await import('./migrate.ts')).migrationStatus,
  },
  'migrate up': {
    group: 'Data',
    usage: '[--no-snapshot] [--json]',
    meaning: 'the same as migrate',
    examples: ['migrate up'],
    worksOn: 'store',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  'migrate rollback': {
    group: 'Data',
    usage: '[--discard] [--json]',
    meaning:
      'go back to the snapshot from before the last migration, while no server runs; --discard if the store has newer rows, whose traces are exported to files first',
    examples: ['migrate rollback', 'migrate rollback --discard'],
    worksOn: 'store',
    load: async () => (await import('./rollback.ts')).rollback,
  },
  remap: {
    group: 'Data',
    usage: '[--limit N] [--prices-file FILE] [--json]',
    meaning: 'map stored traces again after the mapping rules have changed; works while a server runs',
    examples: ['remap --limit 1000'],
    worksOn: 'store',
    load: async () => (await import('./remap.ts')).remap,
  },
  ...OWN_RULE_COMMANDS,

  'keys create': {
    group: 'Keys and people',
    usage: '[--application-id ID] [--name NAME] [--scopes ingest,read] [--expires-at TIME] [--json]',
    meaning: 'create an API key',
    examples: ['keys create --name ci --scopes read,write --expires-at 2031-01-31'],
    worksOn: 'store',
    load: async () => (await import('./keys.ts')).createKeyCommand,
  },
  'keys first': {
    group: 'Keys and people',
    usage: '[--json]',
    meaning: 'print the key that the first start wrote to first-key, once, and delete that file',
    examples: ['keys first'],
    worksOn: 'store',
    load: async () => (await import('./first-key.ts')).printFirstKey,
  },
  'keys list': {
    group: 'Keys and people',
    usage: '[--application-id ID] [--json]',
    meaning: 'list the API keys, without their secrets',
    examples: ['keys list'],
    worksOn: 'store',
    load: async () => (await import('./keys.ts')).listKeysCommand,
  },
  'keys revoke': {
    group: 'Keys and people',
    usage: 'KEY [--json]',
    meaning: 'revoke an API key',
    examples: ['keys revoke k7Qm2Xc9RtLw'],
    worksOn: 'store',
    load: async () => (await import('./keys.ts')).revokeKeyCommand,
  },
  'applications create': {
    group: 'Keys and people',
    usage: '--title TITLE [--type CHATBOT|AGENT] [--new-organisation] [--json]',
    meaning: 'create an application',
    examples: ['applications create --title "Support bot" --type AGENT'],
    worksOn: 'store',
    load: async () => (await import('./applications.ts')).createApplicationCommand,
  },
  'applications list': {
    group: 'Keys and people',
    usage: '[--json]',
    meaning: 'list the applications',
    examples: ['applications list'],
    worksOn: 'store',
    load: async () => (await import('./applications.ts')).listApplications,
  },
  'users list': {
    group: 'Keys and people',
    usage: '[--json]',
    meaning: 'list the users with their roles',
    examples: ['users list'],
    worksOn: 'store',
    load: async () => (await import('./users.ts')).usersCommand,
  },
  'users link': {
    group: 'Keys and people',
    usage: '[EMAIL] [--json]',
    meaning:
      'print a link for the first user, or for an existing one to choose a new password; it works once, for 15 minutes',
    examples: ['users link', 'users link ada@example.com'],
    worksOn: 'store',
    load: async () => (await import('./users.ts')).linkUser,
  },
  'users invite': {
    group: 'Keys and people',
    usage: 'EMAIL [--role viewer|annotator|editor|admin] [--application-id ID] [--json]',
    meaning: 'print a link by which a person joins an application; it works once, for 7 days',
    examples: ['users invite ada@example.com --role editor'],
    worksOn: 'store',
    load: async () => (await import('./users.ts')).inviteUser,
  },
  'users role': {
    group: 'Keys and people',
    usage: 'EMAIL ROLE [--application-id ID] [--yes] [--json]',
    meaning:
      'change the role of a member; --yes: also make a user a member who has accepted no invitation of the organisation',
    examples: ['users role ada@example.com admin'],
    worksOn: 'store',
    load: async () => (await import('./users.ts')).changeRole,
  },
  'users remove': {
    group: 'Keys and people',
    usage: 'EMAIL [--application-id ID] [--json]',
    meaning: 'remove a user from an application, or delete the account',
    examples: ['users remove ada@example.com'],
    worksOn: 'store',
    load: async () => (await import('./users.ts')).removeUser,
  },
  'users logins': {
    group: 'Keys and people',
    usage: 'EMAIL [--json]',
    meaning: 'list the browsers in which a user is signed in',
    examples: ['users logins ada@example.com'],
    worksOn: 'store',
    load: async () => (await import('./users.ts')).listLogins,
  },
  'users sign-out': {
    group: 'Keys and people',
    usage: 'EMAIL [--login ID] [--json]',
    meaning: 'end all logins of a user, or one of users logins',
    examples: ['users sign-out ada@example.com'],
    worksOn: 'store',
    load: async () => (await import('./users.ts')).signOutUser,
  },

  version: {
    group: 'Other',
    usage: '[--json]',
    meaning: 'print the version',
    examples: ['version'],
    worksOn: 'nothing',
    load: async () => (await import('./version.ts')).printVersion,
  },
  completion: {
    group: 'Other',
    usage: 'bash|zsh|fish',
    meaning: 'print a script by which this shell completes commands and flags',
    examples: ['completion bash'],
    worksOn: 'nothing',
    load: async () => {
      const { printCompletion } = await import('./completion.ts');
      return (words, io) => printCompletion(COMMANDS, words, io);
    },
  },
  help: {
    group: 'Other',
    usage: '[COMMAND]',
    meaning: 'print the commands, or the flags and examples of one',
    examples: ['help test', 'help keys'],
    worksOn: 'nothing',
    load: async () => {
      const { printHelp } = await import('./help.ts');
      return (words, io) => printHelp(COMMANDS, words, io);
    },
  },
};
