import type { Screen } from './app/screen.ts';
import { compare } from './compare/screen.ts';
import { conversation, conversations } from './conversations/screens.ts';
import { document, documents } from './documents/screens.ts';
import { evaluator, evaluators, verdict } from './evaluators/screens.ts';
import { health } from './health/screen.ts';
import { home } from './home/screen.ts';
import { run, runs } from './runs/screens.ts';
import { schedules } from './schedules/screen.ts';
import { settings } from './settings/screen.ts';
import { tags } from './tags/screen.ts';
import { task, tasks } from './tasks/screens.ts';
import { test, tests } from './tests/screens.ts';
import { topic, topics } from './topics/screens.ts';
import { trace } from './trace/screen.ts';
import { traces } from './traces/screen.ts';
import { webhook } from './webhook/screen.ts';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  home,
  traces,
  trace,
  compare,
  conversations,
  conversation,
  tests,
  test,
  runs,
  run,
  tasks,
  task,
  topics,
  topic,
  tags,
  evaluators,
  evaluator,
  verdict,
  schedules,
  documents,
  document,
  webhook,
  health,
  settings,
];
