import { writeSync } from 'node:fs';
import { unsupportedNode } from './node-version';

export { oldestNode } from './node-version';

// Evaluated before anything that an older Node cannot load, and so it speaks before that would throw.
const complaint = unsupportedNode(process.versions.node);
if (complaint !== undefined) {
  writeSync(process.stderr.fd, `${complaint}\n`);
  process.exit(1);
}
