import { type Choice, readTransforms, selectKeys, selectTransforms, wireName } from '@app/shapes';
import type { RouteDescription } from '../route-description';

/** The members that a route sends, by path: `items[].id`. Without a class, the media type. */
export function sentMembers({ answer, mediaType, sends }: RouteDescription): string[] {
  if (sends === 'anything' || sends === 'undeclared') return ['anything'];
  if (answer === undefined) return mediaType === undefined ? [] : [mediaType];
  return membersOf(answer.whole, answer.shape === 'list' ? '[].' : '', answer.options, []);
}

function membersOf(type: Function, path: string, choice: Choice, above: readonly Function[]): string[] {
  if (above.includes(type)) return [`${path}… as ${type.name} above`];
  const shape = readTransforms(type);
  const keys = selectKeys(shape, 'toPlain', choice);
  const members = keys.exposed.flatMap((key) => {
    const name = `${path}${wireName(shape, key)}`;
    const isTransformed = selectTransforms(shape, key, 'toPlain', choice).length > 0;
    const part = partOf(shape.typeOf.get(key)?.typeFunction);
    if (isTransformed) return [`${name} transformed`];
    if (part === undefined) return [name];
    if (part === Object) return [`${name}.*`];
    const isList = Reflect.getMetadata('design:type', type.prototype, key) === Array;
    return membersOf(part, `${name}${isList ? '[]' : ''}.`, choice, [...above, type]);
  });
  return keys.takesOwnKeys ? [`${path}*`, ...members] : members;
}

const simple = new Set<unknown>([String, Number, Boolean, Date]);

function partOf(typeFunction: ((help?: unknown) => unknown) | undefined): Function | undefined {
  const named: unknown = typeFunction?.length === 0 ? typeFunction() : undefined;
  return typeof named === 'function' && !simple.has(named) ? named : undefined;
}
