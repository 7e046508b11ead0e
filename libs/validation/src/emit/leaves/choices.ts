import { code } from '@app/shapes';
import { leaf } from './rule';

/** The list is read at each validation, since it may change; holes are skipped, and `NaN` is never found. */
export const isIn = leaf({
  name: 'IsIn',
  test: ([list]) => (Array.isArray(list) ? (value) => list.indexOf(value) !== -1 : () => false),
  emit: (value, scope, [list]) =>
    Array.isArray(list) ? code`${scope.hoist(list, 'choices')}.indexOf(${value}) !== -1` : undefined,
});

export const isNotIn = leaf({
  name: 'IsNotIn',
  test: ([list]) => (Array.isArray(list) ? (value) => list.indexOf(value) === -1 : () => true),
  emit: (value, scope, [list]) =>
    Array.isArray(list) ? code`${scope.hoist(list, 'choices')}.indexOf(${value}) === -1` : undefined,
});

export const equals = leaf({
  name: 'Equals',
  test:
    ([other]) =>
    (value) =>
      value === other,
  emit: (value, scope, [other]) => code`${value} === ${scope.hoist(other, 'other')}`,
});

export const notEquals = leaf({
  name: 'NotEquals',
  test:
    ([other]) =>
    (value) =>
      value !== other,
  emit: (value, scope, [other]) => code`${value} !== ${scope.hoist(other, 'other')}`,
});

/** The members are read at each validation, since they may change; `NaN` is found. */
export const isEnum = leaf({
  name: 'IsEnum',
  test: ([members]) =>
    typeof members === 'object' && members !== null
      ? (value) => isMember(members as Record<string, unknown>, value)
      : undefined,
});

/** An enum of numbers has their names too, and keys that are numbers make a loop slow. */
function isMember(members: Record<string, unknown>, value: unknown): boolean {
  if (typeof value === 'number' && isNamed(members, members[value], value)) return true;
  for (const name in members) {
    const isSame = members[name] === value || (Number.isNaN(value) && Number.isNaN(members[name]));
    if (isSame && Object.hasOwn(members, name)) return true;
  }
  return false;
}

function isNamed(members: Record<string, unknown>, name: unknown, value: number): boolean {
  return typeof name === 'string' && members[name] === value && isEnumerable.call(members, name);
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;
