/** The text of `docs/troubleshooting.md`. */
import { MISTAKES, type Mistake } from './mistakes.ts';

const HEAD = `# Trouble in the first hour

The packages for JavaScript and Python write one line to standard error when spans are lost, or belong to no test: the first time at once, then at
most once a minute. A span is sent within a second, and lost if the server does not accept it within five. \`reportLoss: false\` (\`report_loss=False\`) turns the lines off. The
tests make each of these mistakes and compare the lines.

To see every step, set \`TOUCHSTONE_DEBUG=1\`, or \`debug: true\` (\`debug=True\`):

\`\`\`text
touchstone: sends spans to http://127.0.0.1:4318/v1/traces
touchstone: test 7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60: starts
touchstone: sent a batch: 3 stored, 0 rejected
touchstone: test 7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60: succeeded
\`\`\`

\`touchstone traces\` lists what arrived. A test that fails says why: \`touchstone tests --status FAILED\`, and
\`GET /v0/tests/{id}/diagnosis\`. [Errors](errors.md) has the responses of the API.
`;

/** Returns the page: a chapter for each mistake. */
export const troubleshootingPage = (): string => `${HEAD}\n${MISTAKES.map(chapterOf).join('\n')}`;

function chapterOf({ mistake, javascript, python, help }: Mistake): string {
  const line = (text: string): string =>
    `touchstone: ${text.replaceAll('URL/', 'http://127.0.0.1:4318/').replaceAll(/\bURL\b/g, 'http://127.0.0.1:4318')}`;
  const said =
    javascript === python
      ? [line(javascript ?? '')]
      : [
          ...(javascript === null ? [] : ['# JavaScript', line(javascript)]),
          ...(python === null ? [] : ['# Python', line(python)]),
        ];
  return `## ${mistake}\n\n\`\`\`text\n${said.join('\n')}\n\`\`\`\n\n${help}\n`;
}
