import { factsOf } from './field-types.mts';
import type { Field } from './fields.mts';
import { type RefField, refsOf, type Resource, sampleName } from './resource.mts';

/** A function that makes a valid body, and what it refers to; for the tests of this resource and of those that refer to it. */
export function sampleFile(resource: Resource): string {
  const { plural, fields } = resource;
  const refs = refsOf(resource);
  const names = [...new Set(refs.map(({ target }) => target.pascal))].toSorted();
  const fileOf = (name: string) =>
    refs.find(({ target }) => target.pascal === name)?.target.table.replaceAll('_', '-');
  return `import type { Client } from '@app/service/testing';
${names.map((name) => `import { ${sampleName({ pascal: name })} } from './${fileOf(name)}';\n`).join('')}
/** The path of the resource. */
export const path = '/${plural}';

let serial = 0;

/**
 * A valid body of \`POST /${plural}\`, different each time. What it refers to is created.
 *
 * @param _clients the one that sends it, and an administrator's
 */
export async function ${sampleName(resource)}(${refs.length > 0 ? '' : '_'}clients: { readonly caller: Client; readonly admin: Client }) {
  const n = (serial += 1);
${refs.map(created).join('')}  return { ${fields.map((field) => member(resource, field)).join(', ')} };
}
`.replace('@param _clients', refs.length > 0 ? '@param clients' : '@param _clients');
}

/** The statement that creates what a field refers to. */
export function created({ name, target }: RefField): string {
  const client = target.isOwned ? 'caller' : 'admin';
  return `  const ${name}: number = (await clients.${client}.post('/${target.plural}', await ${sampleName(target)}(clients))).json.id;\n`;
}

/** A member of the body. */
export function member(resource: Resource, field: Field): string {
  return field.target ? field.name : `${field.name}: ${factsOf(resource, field).sample(field.name)}`;
}
