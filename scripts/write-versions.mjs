// Run by `npm version <next>` once it has changed package.json: gives all packages the same version.
import { execFileSync } from 'node:child_process';
import { writeVersions } from './release/versions.ts';

execFileSync('git', ['add', ...writeVersions('.')]);
