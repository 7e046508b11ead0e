import { writeSync } from 'node:fs';
import { unsupportedNode } from './node-version';

// Evaluated before any module that an older Node cannot load.
const problem = unsupportedNode(process.versions.node);
if (problem !== undefined) {
  writeSync(process.stderr.fd, `${problem}\n`);
  process.exit(1);
}
