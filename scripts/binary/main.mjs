// First module of the single binary. It can import only what is built into Node, so the loader comes first.
import { createRequire } from 'node:module';
import { getAsset } from 'node:sea';
import { compileFunction } from 'node:vm';

const require = createRequire(process.execPath);
compileFunction(getAsset('loader.cjs', 'utf8'), ['require'])(require);
// Not a literal in the call, which would be taken for a package.
const START = 'app:///start.cjs';
require(START);
