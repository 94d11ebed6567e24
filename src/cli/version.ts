import { readAsset } from '../runtime/assets.ts';
import type { Io } from './io.ts';

export const programVersion = (): string =>
  (JSON.parse(readAsset('../package.json')) as { version: string }).version;

export const printVersion = (args: readonly string[], io: Io): void =>
  io.out(
    args.includes('--json')
      ? `${JSON.stringify({ version: programVersion(), node: process.version })}\n`
      : `Touchstone ${programVersion()}\n`,
  );
