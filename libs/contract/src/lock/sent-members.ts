import { type Choice, readTransforms, selectKeys, selectTransforms, wireName } from '@app/engine';
import { audiencesOfMember, forEveryAudience } from '../audiences/addressed-members';
import type { RouteDescription } from '../route-description';
import { namedPart, selectedParts } from './parts-of';

/** A sent member. */
export interface SentMember {
  /** The path, such as `items[].id`. */
  readonly path: string;
  /** The audiences that are sent it; `undefined` if every caller is. */
  readonly to?: readonly string[];
}

/** The members that a route sends. Without a class, the media types. */
export function sentMembers({
  response,
  mediaTypes,
  sends,
}: Pick<RouteDescription, 'response' | 'mediaTypes' | 'sends'>): readonly SentMember[] {
  if (sends === 'anything' || sends === 'undeclared') return [{ path: 'anything' }];
  if (response === undefined) return mediaTypes.map((path) => ({ path }));
  const { body, shape, options, otherwise } = response;
  const sentOf = (type: Function, path: string) =>
    membersOf(type, {
      path,
      selected: options.groups ?? [],
      choice: forEveryAudience(type, options),
      above: [],
    });
  const sent = sentOf(body, shape === 'list' ? '[].' : '');
  return otherwise === undefined ? sent : [...sent, ...sentOf(otherwise.type, '')];
}

/** A class's place in a response. */
interface SentPlace {
  readonly path: string;
  /** The audiences for the members above. */
  readonly to?: readonly string[];
  /** The groups that the route selects. */
  readonly selected: readonly string[];
  readonly choice: Choice;
  readonly above: readonly Function[];
}

function membersOf(type: Function, place: SentPlace): SentMember[] {
  const { path, selected, choice, above } = place;
  if (above.includes(type)) return [{ path: `${path}… as ${type.name} above`, to: place.to }];
  const shape = readTransforms(type);
  const keys = selectKeys(shape, 'toPlain', choice);
  const members = keys.exposed.flatMap((key): SentMember[] => {
    const name = `${path}${wireName(shape, key)}`;
    const to = both(place.to, audiencesOfMember(type, key, selected));
    const isTransformed = selectTransforms(shape, key, 'toPlain', choice).length > 0;
    const declared = shape.typeOf.get(key);
    const sent = declared?.discriminator ? selectedParts(declared) : namedPart(declared);
    const parts = sent.filter(({ part }) => !simple.has(part));
    if (isTransformed) return [{ path: `${name} transformed`, to }];
    if (parts.length === 0) return [{ path: name, to }];
    const isList = Reflect.getMetadata('design:type', type.prototype, key) === Array;
    return parts.flatMap(({ part, suffix }) => {
      if (part === Object) return [{ path: `${name}.*`, to }];
      const nested = `${name}${isList ? '[]' : ''}${suffix}.`;
      return membersOf(part, { path: nested, to, selected, choice, above: [...above, type] });
    });
  });
  return keys.takesOwnKeys ? [{ path: `${path}*`, to: place.to }, ...members] : members;
}

/** Returns a member's audiences in a part that has audiences, such as `admin and self`. */
function both(
  part: readonly string[] | undefined,
  member: readonly string[] | undefined,
): readonly string[] | undefined {
  if (part === undefined || member === undefined) return part ?? member;
  const all = part.flatMap((left) => member.map((right) => (left === right ? left : `${left} and ${right}`)));
  return [...new Set(all)].toSorted();
}

const simple = new Set<unknown>([String, Number, Boolean, Date]);
