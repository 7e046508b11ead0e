import { type Choice, readTransforms, selectKeys, selectTransforms, wireName } from '@app/engine';
import type { RouteDescription } from '../route-description';
import { namedPart, selectedParts } from './parts-of';

/** The members that a route sends, by path: `items[].id`. Without a class, the media types. */
export function sentMembers({
  response,
  mediaTypes,
  sends,
}: Pick<RouteDescription, 'response' | 'mediaTypes' | 'sends'>): string[] {
  if (sends === 'anything' || sends === 'undeclared') return ['anything'];
  if (response === undefined) return [...mediaTypes];
  const { body, shape, options, otherwise } = response;
  const sent = membersOf(body, shape === 'list' ? '[].' : '', options, []);
  return otherwise === undefined ? sent : [...sent, ...membersOf(otherwise.type, '', options, [])];
}

function membersOf(type: Function, path: string, choice: Choice, above: readonly Function[]): string[] {
  if (above.includes(type)) return [`${path}… as ${type.name} above`];
  const shape = readTransforms(type);
  const keys = selectKeys(shape, 'toPlain', choice);
  const members = keys.exposed.flatMap((key) => {
    const name = `${path}${wireName(shape, key)}`;
    const isTransformed = selectTransforms(shape, key, 'toPlain', choice).length > 0;
    const declared = shape.typeOf.get(key);
    const sent = declared?.discriminator ? selectedParts(declared) : namedPart(declared);
    const parts = sent.filter(({ part }) => !simple.has(part));
    if (isTransformed) return [`${name} transformed`];
    if (parts.length === 0) return [name];
    const isList = Reflect.getMetadata('design:type', type.prototype, key) === Array;
    return parts.flatMap(({ part, suffix }) => {
      if (part === Object) return [`${name}.*`];
      return membersOf(part, `${name}${isList ? '[]' : ''}${suffix}.`, choice, [...above, type]);
    });
  });
  return keys.takesOwnKeys ? [`${path}*`, ...members] : members;
}

const simple = new Set<unknown>([String, Number, Boolean, Date]);
