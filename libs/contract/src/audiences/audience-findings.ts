import { type Finding, readTransforms } from '@app/engine';
import { responseClasses } from './response-classes';
import { addressedMembers, nestedMembers } from './addressed-members';
import { audienceNamed, audienceNames } from './audience';
import { ownerMember, readAudienceGroup } from './expose';
import { dependsOnRow, ownedMembers } from './row-filter';

/** The audience fault codes, and the reason for each. */
export const audienceFaults = {
  'SLUICE-C211': 'A member names an audience that no plugin declares: no caller would be sent it.',
  'SLUICE-C212':
    'A member is sent to the owner of a row, and its class does not name the member with the owner.',
  'SLUICE-C213':
    'A member for the owner of a row is computed, or is in a part that is computed, selected by a value, or no list: its value cannot be left out of a row.',
  'SLUICE-C214': 'A response selects the group of an audience: every caller would be sent its members.',
} as const;

const nobody: ReadonlySet<string> = new Set();

/**
 * Returns the findings about the audiences in a response class and its nested classes.
 *
 * @param groups the groups that the response selects
 */
export function audienceFindings(type: Function, groups: readonly string[] = []): Finding[] {
  const classes = [...responseClasses(type)];
  return [
    ...classes.flatMap(unknownAudiences),
    ...classes.flatMap(withoutOwner),
    ...classes.flatMap(computedMembers),
    ...groups.filter((group) => readAudienceGroup(group) !== undefined).map(selectedAudience),
  ];
}

/** Returns the finding about an audience that no plugin declares. */
export function unknownAudience(code: string, name: string, type: Function, member: string): Finding {
  const names = audienceNames().join(', ') || 'none';
  return {
    code,
    problem: `${type.name}.${member} names the audience '${name}', which no plugin declares`,
    remedy: `Use an audience of the program (${names}), or declare it in \`audiences\` of a plugin`,
    place: { type, member },
  };
}

function unknownAudiences(type: Function): Finding[] {
  return addressedMembers(type).flatMap(({ property, to }) =>
    to
      .filter((name) => audienceNamed(name) === undefined)
      .map((name) => unknownAudience('SLUICE-C211', name, type, property)),
  );
}

function withoutOwner(type: Function): Finding[] {
  return ownedMembers(type, nobody).flatMap(({ property, byRow }) =>
    byRow
      .filter((name) => ownerMember(type, name) === undefined)
      .map((name) => ({
        code: 'SLUICE-C212',
        problem: `${type.name}.${property} is sent to '${name}', and ${type.name} does not say who that is`,
        remedy: `Put @OwnedBy('…'${name === 'self' ? '' : `, '${name}'`}) with the member that has the owner on ${type.name}`,
        place: { type, member: property },
      })),
  );
}

function computedMembers(type: Function): Finding[] {
  const { typeOf } = readTransforms(type);
  const own = ownedMembers(type, nobody).filter(({ property }) => isComputed(type, property));
  const selected = [...typeOf].flatMap(([property, { discriminator }]) =>
    (discriminator?.subTypes ?? []).map(({ value }) => ({ property, type: value })),
  );
  const parts = [
    ...nestedMembers(type).filter(({ property }) => isComputed(type, property) || isKeyed(type, property)),
    ...selected,
  ].filter((part) => dependsOnRow(part.type, nobody));
  return [...own, ...parts].map(({ property }) => ({
    code: 'SLUICE-C213',
    problem: `${type.name}.${property} has members for the owner of a row, which cannot be left out of it`,
    remedy: 'Store the value in the row, in a member without a getter, a transform, a discriminator or a Map',
    place: { type, member: property },
  }));
}

/** Returns whether a class computes a member, so that the row does not have its value. */
function isComputed(type: Function, property: string): boolean {
  const transforms = readTransforms(type).transformsOf.get(property) ?? [];
  return property in type.prototype || transforms.some(({ toClassOnly }) => toClassOnly !== true);
}

function isKeyed(type: Function, property: string): boolean {
  const declared: unknown = Reflect.getMetadata('design:type', type.prototype, property);
  return declared === Map || declared === Set;
}

function selectedAudience(group: string): Finding {
  return {
    code: 'SLUICE-C214',
    problem: `it selects the group '${group}', whose members are for an audience`,
    remedy: 'Remove the group: the audiences of the caller are decided for each request',
  };
}
