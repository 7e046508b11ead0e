import { fileOf } from '../source/template.mts';
import { ownerParts, type Resource } from './resource.mts';

/** Returns the name of the constant that declares a resource: `parkingTickets`. */
export function resourceName({ pluralPascal }: Pick<Resource, 'pluralPascal'>): string {
  return pluralPascal.charAt(0).toLowerCase() + pluralPascal.slice(1);
}

/** Returns the file that declares a resource: `tickets.resource.ts`. */
export function resourceFile(resource: Resource): string {
  const { camel, pascal, plural, pluralPascal } = resource;
  const [name, many] = [resourceName(resource), plural.replaceAll('-', ' ')];
  return fileOf('resource/resource.ts', {
    camel,
    pascal,
    plural,
    pluralPascal,
    ...ownerParts(resource),
    name,
    many,
  });
}
