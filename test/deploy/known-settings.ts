import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of all settings, read from their generated page. */
export const knownSettings: ReadonlySet<string> = new Set(
  [
    ...readFileSync(join(__dirname, '../../docs/reference/settings.md'), 'utf8').matchAll(/^\| `(\w+)`/gm),
  ].map(([, name = '']) => name),
);
