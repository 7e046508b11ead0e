import { fileOf } from '../source/template.mts';
import { factsOf } from './field-types.mts';
import type { Field } from './fields.mts';
import { ownerParts, pathOf, type RefField, refsOf, type Resource, sampleName } from './resource.mts';

/** Renders the function that makes a valid body and the resources it refers to, for the tests of all referring resources. */
export function sampleFile(resource: Resource): string {
  const { fields } = resource;
  const refs = refsOf(resource);
  const targets = [...new Map(refs.map(({ target }) => [target.pascal, target])).values()];
  const imports = targets
    .toSorted((a, b) => (a.pascal < b.pascal ? -1 : 1))
    .map((target) => `import { ${sampleName(target)} } from './${target.table.replaceAll('_', '-')}';`);
  return fileOf('resource/sample.ts', {
    ...ownerParts(resource),
    path: pathOf(resource),
    sample: sampleName(resource),
    clients: refs.length > 0 ? 'clients' : '_clients',
    imports: imports.join('\n'),
    created: refs.map(created).join('').trimEnd(),
    members: fields.map((field) => member(resource, field)).join(', '),
  });
}

/** Renders the statement that creates the resource a field refers to. */
export function created({ name, target }: RefField): string {
  const client = target.owner === undefined ? 'admin' : 'caller';
  const path =
    target.owner === 'organization'
      ? `\`/organizations/\${await organizationOf(clients.caller)}/${target.plural}\``
      : `'/${target.plural}'`;
  return `  const ${name}: number = (await clients.${client}.post(${path}, await ${sampleName(target)}(clients))).json.id;\n`;
}

/** A member of the body. */
export function member(resource: Resource, field: Field): string {
  return field.target ? field.name : `${field.name}: ${factsOf(resource, field).sample(field.name)}`;
}
