/** The ways to a first success, each by the commands that a reader types. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Way {
  name: string;
  title: string;
  /** Example whose files are in the folder in which the commands run; null for an empty folder. */
  example: string | null;
  commands: readonly string[];
}

const WHEEL = '"$TOUCHSTONE_URL/packages/touchstone_otel-0.1.0-py3-none-any.whl"';
const NEW_TEST = "export TEST_ID=$(node -p 'crypto.randomUUID()')";
const DRAW = 'touchstone trace $TEST_ID';
const pip = [
  'python3 -m venv .venv && . .venv/bin/activate',
  `pip install --quiet -r requirements.txt ${WHEEL}`,
];
/** Configures the webhook, makes a task and runs it. `api`, `field` and `listens` are defined by the runner. */
const WEBHOOK = [
  'api /v0/webhook -d "{ \\"url\\": \\"http://127.0.0.1:$PORT/touchstone\\" }" > /dev/null',
  "export TOUCHSTONE_WEBHOOK_SECRET=$(api /v0/webhook/rotate-secret -d '{}' | field data.webhookSecret)",
];
const TASK = (question: string): string =>
  `TASK_ID=$(api /v0/tasks -d '{ "title": "Capitals", "type": "STATIC", "inputExamples": ["${question}"] }' | field task.id)`;

/** Returns the command that installs our package and the other packages of an example. */
function npmInstall(example: string): string {
  const text = readFileSync(join(ROOT, 'examples', example, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  const others = Object.entries(dependencies).flatMap(([name, version]) =>
    name === 'touchstone-otel' ? [] : [`${name}@${version}`],
  );
  return `npm install $TOUCHSTONE_URL/packages/otel.tgz ${others.join(' ')}`;
}

/** Returns the commands of the README of the project that send and read a first trace. */
function readmeCommands(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(/```sh\n(.*?)```/gs)]
    .map(([, block = '']) => block.trimEnd())
    .filter((block) => block.includes('curl '))
    .flatMap((block) => block.split(/(?<!\\)\n/));
}

export const WAYS: readonly Way[] = [
  { name: 'curl', title: 'curl', example: null, commands: [...readmeCommands(), DRAW] },
  {
    name: 'javascript',
    title: 'JavaScript app of your own',
    example: 'quickstart',
    commands: [npmInstall('quickstart'), NEW_TEST, 'node app.js', DRAW],
  },
  {
    name: 'ai-sdk',
    title: 'AI SDK',
    example: 'ai-sdk',
    commands: [npmInstall('ai-sdk'), NEW_TEST, 'node app.js', DRAW],
  },
  {
    name: 'python-openai',
    title: 'Python, OpenAI',
    example: 'python-openai',
    commands: [...pip, NEW_TEST, 'python app.py', DRAW],
  },
  {
    name: 'python-langchain',
    title: 'Python, LangChain',
    example: 'python-langchain',
    commands: [...pip, NEW_TEST, 'python app.py', DRAW],
  },
  {
    name: 'express',
    title: 'Express webhook',
    example: 'webhook-express',
    commands: [
      npmInstall('webhook-express'),
      ...WEBHOOK,
      'node app.js & listens',
      TASK('What is the capital of France?'),
      'touchstone run $TASK_ID',
    ],
  },
  {
    name: 'fastapi',
    title: 'FastAPI webhook',
    example: 'webhook-python',
    commands: [
      ...pip,
      ...WEBHOOK,
      'uvicorn app:app --port $PORT & listens',
      TASK('What is the capital of France?'),
      'touchstone run $TASK_ID',
    ],
  },
  {
    name: 'ci',
    title: 'CI gate',
    example: 'evaluate',
    commands: [
      npmInstall('evaluate'),
      ...WEBHOOK,
      'node app.js & listens',
      TASK('What is the capital of Peru?'),
      `DEFINITION_ID=$(api /v0/definitions -d '{ "name": "Right", "type": "ASSERT", "globalConfig": { "assertions": [{ "type": "contains", "value": "Lima" }] } }' | field data.id)`,
      'api /v0/definitions/link -d "{ \\"evalIds\\": [\\"$DEFINITION_ID\\"], \\"taskIds\\": [\\"$TASK_ID\\"] }" > /dev/null',
      'touchstone test --tasks all --fail-under 90 --junit out.xml',
    ],
  },
];
