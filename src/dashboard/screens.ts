import type { Screen } from './app/screen.ts';
import { traces } from './traces/screen.ts';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [traces];
