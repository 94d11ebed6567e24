import { readAsset } from '../runtime/assets.ts';
import type { Io } from './io.ts';

export const version = (): string =>
  (JSON.parse(readAsset('../package.json')) as { version: string }).version;

export const printVersion = (_args: readonly string[], io: Io): void => io.out(`Touchstone ${version()}\n`);
