import { existsSync, readFileSync } from 'node:fs';
import type { Way } from './ways.ts';

/** Returns the seconds of each way by its title that a page lists; none when there is no page. */
export function timesOf(path: string): Map<string, number> {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const rows = text.matchAll(/^\| \[(.+?)\]\(#.*?\) \| ([\d.]+) s \|/gm);
  return new Map([...rows].map(([, title = '', seconds]) => [title, Number(seconds)]));
}

/** Returns the page: a table of the times, then the commands of each way. */
export function firstHourPage(ways: readonly Way[], times: ReadonlyMap<string, number>): string {
  const anchor = (title: string): string =>
    title
      .toLowerCase()
      .replaceAll(/[^\w ]/g, '')
      .replaceAll(' ', '-');
  const rows = ways.map(
    ({ title, commands }) =>
      `| [${title}](#${anchor(title)}) | ${times.get(title)?.toFixed(1) ?? '-'} s | ${commands.length} |`,
  );
  const chapters = ways.map(
    ({ title, example, commands }) =>
      `## ${title}\n\n${example === null ? '' : `In a copy of [examples/${example}](../examples/${example}):\n\n`}\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`,
  );
  return `# The first success

The time from the first command to the first trace or verdict, installation of packages included. A server runs, and its
[three variables](../examples/README.md#before-you-start) are set; a stand-in answers for the model. \`npm run first-hour\` runs these commands in empty
folders, one way after the other, and writes this page; \`npm run first-hour -- express\` runs one. The times are those of a machine with two busy
cores and caches of npm and pip that may be warm.

| Way | Time | Commands |
|---|---|---|
${rows.join('\n')}

\`api\` and \`field\` are the functions of [the examples](../examples/README.md#tests-by-webhook), \`listens\` waits until the app accepts connections,
and \`PORT\` is a free port.

${chapters.join('\n')}`;
}
