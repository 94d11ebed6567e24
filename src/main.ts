#!/usr/bin/env node
// No imports at the top, so that an older Node can run the following check.
const oldest = 24;
if (Number(process.versions.node.split('.')[0]) < oldest) {
  const command = ['npm start --', ...process.argv.slice(2)].join(' ');
  console.error(
    `Touchstone needs Node ${oldest} or newer; this is Node ${process.versions.node}. In its folder, \`${command}\` runs it with a Node of its own.`,
  );
  process.exit(1);
}

// The engine of the store is known from the environment when the modules with its statements are loaded.
const { moveDatabaseFlags } = await import('./config/database-flags.ts');
const { args, hasMoved } = moveDatabaseFlags(process.argv.slice(2), process.env);
// Replaces the command line that other users of the machine see, which may contain a password.
if (hasMoved || args.some((arg) => /^postgres(?:ql)?:/.test(arg))) process.title = 'touchstone';

const { keepCompiledCode } = await import('./runtime/compile-cache.ts');
keepCompiledCode(import.meta.url, process.env);
const { programName } = await import('./cli/program-name.ts');
const { runCommandLine } = await import('./cli/run.ts');

// The server continues when the reader of its output disconnects.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runCommandLine(args, {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY,
  program: programName(process.argv[1] ?? '', process.env),
});
