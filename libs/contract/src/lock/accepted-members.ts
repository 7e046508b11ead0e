import { type PropertyRules, readRules, readTransforms, selectTransforms } from '@app/engine';
import { acceptedFrom } from '../audiences/accept';
import type { RouteInput } from '../route-description';
import { namedPart, selectedParts } from './parts-of';
import type { UploadRule } from '../upload-rule';

/** The members that a class accepts, by path, each with its rules: `{'body.email': ['isEmail']}`. */
export function acceptedMembers(path: string, input: RouteInput): Record<string, string[]> {
  return Object.fromEntries(membersOf(input.type, path, input.groups, []));
}

/** Returns the limits for accepted files, under the name of their form field. */
export function acceptedFiles({ field, types, maxBytes, maxFiles }: UploadRule): Record<string, string[]> {
  const kinds = types.length === 0 ? [] : [`isIn(${JSON.stringify(types)})`];
  return { [`files.${field}`]: [`maxBytes(${maxBytes})`, `maxFiles(${maxFiles})`, ...kinds] };
}

type Accepted = [path: string, rules: string[]];

function membersOf(
  type: Function,
  path: string,
  groups: readonly string[],
  above: readonly Function[],
): Accepted[] {
  if (above.includes(type)) return [[path, [`as ${type.name} above`]]];
  return readRules(type, { groups }).properties.flatMap((rules) => {
    const place = `${path}.${rules.name}`;
    const own: Accepted = [place, rulesOf(type, rules)];
    if (rules.nested.length === 0) return [own];
    const isList = Reflect.getMetadata('design:type', type.prototype, rules.name) === Array;
    const declared = readTransforms(type).typeOf.get(rules.name);
    const parts = [...namedPart(declared), ...selectedParts(declared)].flatMap(({ part, suffix }) =>
      membersOf(part, `${place}${isList ? '[]' : ''}${suffix}`, groups, [...above, type]),
    );
    return [own].concat(parts);
  });
}

function rulesOf(type: Function, rules: PropertyRules): string[] {
  const { name, isOptional, conditions, defined, leaves, nested } = rules;
  const transforms = selectTransforms(readTransforms(type), name, 'toClass', {});
  const from = acceptedFrom(type, name);
  return [
    ...(from ? [`from(${JSON.stringify(from)})`] : []),
    ...(isOptional ? ['optional'] : conditions.map(() => 'conditional')),
    ...transforms.map(({ transform }) => `transformed${transform.name ? ` by ${transform.name}` : ''}`),
    ...[...defined, ...leaves].map(({ declared, constraints }) => {
      const ruleName = declared.name ?? declared.constraintCls.name;
      return `${declared.each ? 'each ' : ''}${ruleName}${argumentsOf(constraints)}`;
    }),
    ...nested.map(({ each }) => (each ? 'each nested' : 'nested')),
  ];
}

function argumentsOf(constraints: readonly unknown[]): string {
  const values = constraints.filter((constraint) => constraint !== undefined);
  return values.length === 0 ? '' : `(${values.map(written).join(', ')})`;
}

function written(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  return typeof value === 'function' ? value.name : JSON.stringify(value);
}
