import type { Field, FieldType } from './fields.mts';
import { insertAmong } from './insert.mts';
import type { Resource } from './resource.mts';

const secrecy = 'libs/persistence/testing/secrecy.ts';
const leaks = 'apps/api/test/leaks.spec.ts';

/** Adds a new resource to the leak tests; to be formatted afterwards. */
export const secrecyFiles = [secrecy, leaks] as const;

/** By type: a value that is different for each call. */
const FRESH: Readonly<Record<FieldType, (name: string) => string>> = {
  text: (name) => `fresh('${name}')`,
  integer: () => '(serial += 1)',
  boolean: () => 'true',
  timestamp: () => 'new Date((serial += 1)).toISOString()',
};

/** Classifies every column as open, and declares how the routes are called. */
export function registerSecrecy({ camel, plural, fields }: Resource): void {
  const columns = ['id', ...fields.map(({ name }) => name), 'createdAt'];
  const open = columns.map((column) => `${column}: 'open'`).join(', ');
  const member = `  ${camel}: { ${open} },`;
  insertAmong({ path: secrecy, neighbour: /^ {2}(\w+): \{[^}]*\},$/gm }, member, camel);
  const sample = fields.map(({ name, type }: Field) => `${name}: ${FRESH[type](name)}`).join(', ');
  const neighbour = /^ {8}'(?:POST|PATCH) \/[^']+': \(\) => .*,$/gm;
  insertAmong({ path: leaks, neighbour }, `        'POST /${plural}': () => ({ ${sample} }),`);
  insertAmong({ path: leaks, neighbour }, `        'PATCH /${plural}/:id': () => ({}),`);
}
