// First module of the single binary. It can import only what is built into Node, so the loader comes first.
import { createRequire } from 'node:module';
import { getAsset } from 'node:sea';

const require = createRequire(process.execPath);
// eslint-disable-next-line no-new-func -- The source is part of this program.
new Function('require', getAsset('loader.cjs', 'utf8'))(require);
require('app:///start.cjs');
