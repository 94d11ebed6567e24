import type { Screen } from './app/screen.ts';
import { compareScreen } from './compare/screen.ts';
import { conversationScreen, conversationsScreen } from './conversations/screens.ts';
import { documentScreen, documentsScreen } from './documents/screens.ts';
import { evaluatorScreen, evaluatorsScreen, verdictScreen } from './evaluators/screens.ts';
import { experimentScreen, experimentsScreen } from './experiments/screens.ts';
import { healthScreen } from './health/screen.ts';
import { homeScreen } from './home/screen.ts';
import { groupNotesScreen, issueScreen, issuesScreen } from './issues/screens.ts';
import { quickstartScreen, quickstartsScreen } from './quickstarts/screens.ts';
import { reviewItemScreen, reviewScreen } from './review/screens.ts';
import { runSetScreen, runSetsScreen } from './run-sets/screens.ts';
import { runScreen, runsScreen } from './runs/screens.ts';
import { schedulesScreen } from './schedules/screen.ts';
import { settingsScreen } from './settings/screen.ts';
import { tagsScreen } from './tags/screen.ts';
import { taskScreen, tasksScreen } from './tasks/screens.ts';
import { testScreen, testsScreen } from './tests/screens.ts';
import { topicScreen, topicsScreen } from './topics/screens.ts';
import { traceScreen } from './trace/screen.ts';
import { tracesScreen } from './traces/screen.ts';
import { webhookScreen } from './webhook/screen.ts';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  homeScreen,
  issuesScreen,
  groupNotesScreen,
  issueScreen,
  reviewScreen,
  reviewItemScreen,
  tracesScreen,
  traceScreen,
  compareScreen,
  conversationsScreen,
  conversationScreen,
  tasksScreen,
  taskScreen,
  topicsScreen,
  topicScreen,
  tagsScreen,
  quickstartsScreen,
  quickstartScreen,
  evaluatorsScreen,
  evaluatorScreen,
  verdictScreen,
  runsScreen,
  runScreen,
  runSetsScreen,
  runSetScreen,
  experimentsScreen,
  experimentScreen,
  testsScreen,
  testScreen,
  schedulesScreen,
  documentsScreen,
  documentScreen,
  webhookScreen,
  healthScreen,
  settingsScreen,
];
