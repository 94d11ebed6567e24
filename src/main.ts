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

const { keepCompiledCode } = await import('./runtime/compile-cache.ts');
keepCompiledCode(import.meta.url, process.env);
const { programName } = await import('./cli/program-name.ts');
const { runCommandLine } = await import('./cli/run.ts');

// The server continues when the reader of its output disconnects.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY,
  program: programName(process.argv[1] ?? '', process.env),
});
