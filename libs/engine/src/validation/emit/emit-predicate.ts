import { assemble } from '../../shapes/code/assemble';
import { type Code, code, functionOf, member, NOTHING, not, when } from '../../shapes/code/code';
import { Scope } from '../../shapes/code/scope';
import { nameOfClass } from '../../shapes/named';
import { isRecord } from '../../shapes/values';
import type { ClassPlan, PlannedRule, PropertyPlan } from '../plan/plan';
import type { Planner } from '../plan/planner';
import { isFlat } from '../run/values';
import { unlessOptional, unlessSkipped, writeHolds } from './emit-tests';
import { prototypesOf } from './make-context';
import { isThenable } from './trust';

/** Returns whether an object is valid, or `undefined` if only an instance can tell. */
export type PlainPredicate = (value: object) => boolean | undefined;

interface PredicateContext {
  readonly planner: Planner;
  readonly scope: Scope;
  readonly functions: Code[];
}

const INVALID = code`return false;`;
const UNSURE = code`return;`;

/** Generates the predicate for a class that needs no instance (`whyInstance`). The predicate stops at the first failed test. */
export function emitPredicate(plan: ClassPlan, planner: Planner): PlainPredicate {
  const scope = new Scope();
  const functions: Code[] = [];
  const name = writePredicate(plan, { planner, scope, functions });
  const body = code`${functions}\nreturn ${name};`;
  return assemble<PlainPredicate>(`is ${nameOfClass(plan.type)}`, body, scope).made;
}

/** Generates the function for a class. The count of required keys excludes properties that are not enumerable. */
function writePredicate(plan: ClassPlan, context: PredicateContext): Code {
  const { scope, functions } = context;
  const { type, properties, settings } = plan;
  const name = scope.fresh(`is${nameOfClass(type)}`);
  const { own, isOther } = prototypesOf(scope);
  const isMember = code`key in ${scope.hoist(type.prototype, 'members')}`;
  const steps = [
    ...properties.map(({ key }, at) => code`const raw${at} = ${member(code`value`, key)};`),
    code`const prototype = ${own};`,
    when(code`${isOther} || ${isThenable}`, UNSURE),
    ...properties.map((property, at) => writeTests(property, code`raw${at}`, plan, context)),
    when(code`sent !== ${properties.filter(({ mayBeAbsent }) => !mayBeAbsent).length}`, UNSURE),
  ];
  const body = code`(value) {
    let sent = 0;
    for (const key in value) switch (key) {
      ${properties.map(caseOf)}
      default:
        ${when(code`typeof value[key] === 'object' || ${isMember}`, UNSURE)}
        ${settings.whitelist && settings.forbidNonWhitelisted ? INVALID : NOTHING}
    }
    ${steps}
    return true;
  }`;
  functions.push(functionOf(name, body));
  return name;
}

function caseOf({ key, mayBeAbsent }: PropertyPlan): Code {
  return code`case ${key}: ${mayBeAbsent ? NOTHING : code`sent++;`} break;`;
}

function writeTests(
  { content, planned, name }: PropertyPlan,
  raw: Code,
  plan: ClassPlan,
  context: PredicateContext,
): Code {
  const { scope, planner, functions } = context;
  const { defined, leaves, isNested } = planned!;
  const test = (rule: PlannedRule) => when(not(writeHolds(rule, raw, scope, functions)), INVALID);
  const tests = leaves.map(test);
  let isUnsure = code`typeof ${raw} === 'object' && ${raw} !== null && !${scope.hoist(isFlatList)}(${raw})`;
  if (isNested) {
    const part = planner.partOf(content)!;
    const holds = code`${raw}Holds`;
    isUnsure = code`${scope.hoist(plan.shape.typeOf.get(name)!.rule, 'typed')}.typeFunction() !== ${scope.hoist(part.type)}`;
    tests.push(
      code`const ${holds} = ${scope.hoist(holdsInside)}(${raw}, ${writePredicate(part, context)});`,
      when(code`${holds} !== true`, code`return ${holds};`),
    );
  }
  return code`${[
    when(isUnsure, UNSURE),
    unlessOptional(planned!, raw, [...defined.map(test), unlessSkipped(plan.settings, raw, tests)]),
  ]}`;
}

/** Whether a value is a list whose copy is equal. */
function isFlatList(value: unknown): boolean {
  return Array.isArray(value) && isFlat(value);
}

/** Applies a predicate to a nested object, or to each element of a list. */
function holdsInside(value: unknown, predicate: PlainPredicate): boolean | undefined {
  if (!Array.isArray(value)) return value === undefined || (isRecord(value) ? predicate(value) : undefined);
  for (let at = 0; at < value.length; at++) {
    const element: unknown = value[at];
    const holds = isRecord(element) ? predicate(element) : undefined;
    if (holds !== true) return holds;
  }
  return true;
}
