import { type InputProblem, type InputProblems, jsonPointer } from '@app/http-errors';
import {
  classOfProperty,
  type PropertyRules,
  readRules,
  readTransforms,
  type RuleShape,
  type ValueRule,
  wireName,
  type InputSource,
} from '@app/engine';
import { factsOf } from './rule-facts';

/** The properties of class-validator's (and Nest's) `ValidationError` that messages are made from. */
export interface Problem {
  readonly property: string;
  readonly constraints?: Readonly<Record<string, string>>;
  readonly children?: readonly Problem[];
}

/** An undeclared field's code. */
export const unknownField = 'unknownField';

/** The codes without a rule: undeclared fields, nested values, and values that hardening rejects. */
export const fixedCodes: readonly string[] = [
  unknownField,
  'nestedValidation',
  'isBounded',
  'isWellFormed',
  'isBoolean',
  'isObject',
  'isReadable',
];

/** The class-validator codes that describe a mechanism, with the names that describe the problem. */
const renamed: Readonly<Record<string, string>> = { whitelistValidation: unknownField };

/**
 * Converts pipe errors to places, codes and arguments.
 *
 * @param source the input given to the pipe; the arguments are missing if it is absent
 * @param most the most listed problems
 */
export function inputProblems(
  problems: readonly Problem[],
  source: InputSource | undefined,
  most: number,
): InputProblems {
  const path = source?.at === undefined ? [] : [source.at];
  const collector: Found = {
    path,
    in: source?.in ?? 'body',
    groups: source?.groups,
    most,
    listed: [],
    total: 0,
  };
  collect(problems, [], classReader(source), collector);
  return { listed: collector.listed, omitted: collector.total - collector.listed.length };
}

interface Found {
  /** The path within the whole input. */
  readonly path: readonly string[];
  readonly in: InputProblem['in'];
  readonly groups: readonly string[] | undefined;
  readonly most: number;
  readonly listed: InputProblem[];
  total: number;
}

/** Reads a member of an input object by its class, or a list element. */
type Reader = (property: string) => Member;

/** A member of the input, as its class declares it. */
interface Member {
  /** The name in the request. */
  readonly name: string;
  readonly value: unknown;
  /** Whether the input or its class has it. */
  readonly isKnown: boolean;
  rulesIn(groups: readonly string[] | undefined): PropertyRules | undefined;
  readonly inside: Reader;
}

function collect(
  problems: readonly Problem[],
  path: readonly string[],
  read: Reader,
  collector: Found,
): void {
  for (const { property, constraints = {}, children = [] } of problems) {
    const member = read(property ?? '');
    const isComplete = path.length === 0 && !member.isKnown && Object.keys(constraints).some(isAboutWhole);
    const at = isComplete ? path : [...path, member.name];
    for (const [name, detail] of Object.entries(constraints)) {
      collector.total += 1;
      if (collector.total <= collector.most)
        collector.listed.push(problemOf(name, detail, at, member, collector));
    }
    collect(children, at, member.inside, collector);
  }
}

/** Returns whether a constraint rejects the whole input. Hardening then names the part, such as `body`, in place of a member. */
function isAboutWhole(constraint: string): boolean {
  return fixedCodes.includes(constraint);
}

function problemOf(
  name: string,
  detail: string,
  path: readonly string[],
  member: Member,
  { path: whole, in: place, groups }: Found,
): InputProblem {
  const code = renamed[name] ?? name;
  const params = paramsOf(code, member, groups);
  return { in: place, pointer: jsonPointer([...whole, ...path]), code, params, detail };
}

/** Returns the violated rule's arguments. A property may repeat a rule; class-validator then reports the last failing rule. */
function paramsOf(
  code: string,
  member: Member,
  groups: readonly string[] | undefined,
): InputProblem['params'] {
  const { defined = [], leaves = [] } = member.rulesIn(groups) ?? {};
  const named = [...defined, ...leaves].filter(({ validators }) =>
    validators.some(({ name }) => name === code),
  );
  const rule =
    named.length === 1 ? named[0] : named.findLast((candidate) => isViolated(candidate, member.value));
  return rule ? factsOf(rule, code) : {};
}

/** Returns whether a value violates a rule. Only rules without side effects are called again. */
function isViolated({ declared, validators, builtin, ownTest }: ValueRule, value: unknown): boolean {
  if (builtin === undefined && ownTest === undefined) return false;
  const values: readonly unknown[] = declared.each && Array.isArray(value) ? value : [value];
  const args = {
    constraints: declared.constraints,
    property: declared.propertyName,
    object: {},
    targetName: '',
  };
  return validators.some(({ instance }) =>
    values.some((item) => instance.validate(item, { ...args, value: item }) !== true),
  );
}

function classReader(source: InputSource | undefined): Reader {
  return source ? (property) => memberOf(source.type, source.value, property) : unknownMember;
}

const unknownMember: Reader = (name) => ({
  name,
  value: undefined,
  isKnown: false,
  rulesIn: () => undefined,
  inside: unknownMember,
});

function memberOf(type: Function, object: unknown, property: string): Member {
  const name = wireName(readTransforms(type), property);
  const value: unknown =
    typeof object === 'object' && object !== null && Object.hasOwn(object, name)
      ? Reflect.get(object, name)
      : undefined;
  const rulesIn: Member['rulesIn'] = (groups) =>
    rulesOf(type, groups).properties.find((candidate) => candidate.name === property);
  return {
    name,
    value,
    isKnown: value !== undefined || rulesIn(undefined) !== undefined,
    rulesIn,
    inside: insideOf(type, property, value),
  };
}

function insideOf(type: Function, property: string, value: unknown): Reader {
  if (Array.isArray(value)) {
    return (index) => elementOf(classOf(type, property, value[Number(index)]), value[Number(index)], index);
  }
  const part = classOf(type, property, value);
  return (inner) => memberOf(part, value, inner);
}

/** Returns a list element. An element has no rules of its own. */
function elementOf(type: Function, value: unknown, index: string): Member {
  return {
    name: index,
    value,
    isKnown: true,
    rulesIn: () => undefined,
    inside: (inner) => memberOf(type, value, inner),
  };
}

function classOf(type: Function, property: string, value: unknown): Function {
  return classOfProperty(type, property, typeof value === 'object' && value !== null ? value : {});
}

/** @returns the rules in all groups if no group is selected */
function rulesOf(type: Function, groups: readonly string[] | undefined): RuleShape {
  return readRules(type, { groups: groups && [...groups] });
}

/** A rule of an input class, as errors name it. */
export interface RuleCode {
  readonly code: string;
  /** The rule arguments. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns the rule codes of a class, without its nested classes. */
export function ruleCodes(type: Function, groups: readonly string[]): readonly RuleCode[] {
  return rulesOf(type, groups.length > 0 ? groups : undefined).properties.flatMap(({ defined, leaves }) =>
    [...defined, ...leaves].flatMap((rule) =>
      rule.validators.map(({ name }) => ({ code: name, params: factsOf(rule, name) })),
    ),
  );
}
