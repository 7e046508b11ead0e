import { type Code, code, joined, member, type Scope } from '@app/shapes';
import type { Settings } from '../settings';
import { eachIs } from './each';
import { writeUnsent } from './exposed';
import type { ClassPlan, PlannedRule, PropertyPlan } from './plan';
import { budget, plainType, whenAsked, type EmitContext } from './emit-context';

/**
 * Writes the one pass of a class: each key is looked at once, its value made, checked, and put on the instance in the
 * order of the input. It gives up with `undefined` at the first sign of anything else.
 *
 * @returns the name of a function that is among `context.functions`
 */
export function readerOf(plan: ClassPlan, context: EmitContext): Code {
  const known = context.readers.get(plan);
  if (known) return known;
  const name = context.scope.fresh(`read${plan.type.name}`);
  context.readers.set(plan, name);
  context.functions.push(...writeFunctions(plan, name, context));
  return name;
}

function writeFunctions(plan: ClassPlan, name: Code, context: EmitContext): Code[] {
  const any = context.scope.fresh(`${plan.type.name}_any`);
  return [writeOrdered(plan, name, any, context), writeAnyOrder(plan, any, context)];
}

/**
 * Straight on, for keys that come in the order expected; that is told by one look at each key. Every value is fetched
 * before the prototype is asked for: by then the engine knows the kind of object, and with it the prototype.
 */
function writeOrdered(plan: ClassPlan, name: Code, any: Code, context: EmitContext): Code {
  const { scope, copiesUnknown } = context;
  const order = context.keyOrders.get(plan.type) ?? plan.properties.map((property) => property.name);
  const steps = order.map((key) => plan.properties.find((property) => property.name === key)!);
  const isWhole = steps.length === plan.properties.length;
  const values = order.map((key, at) => code`  const held${at} = ${member(code`value`, key)};`);
  const blocks = steps.map(
    (property, at) => code`  {
${writeProperty(property, code`held${at}`, context)}
  }`,
  );
  const more = isWhole && !copiesUnknown ? code`  if (at > ${order.length}) return undefined;\n` : code``;
  const isNext = more.source === '' ? code`` : code`at < ${order.length} && `;
  return code`function ${name}(value) {
  let at = 0;
  for (const key in value) {
    if (${isNext}key !== ${scope.hoist(order, 'order')}[at]) return ${any}(value);
    at += 1;
  }
${more}  if (at !== ${order.length}) return ${any}(value);
${values}
${writePrototypeCheck(scope)}
${writeBudget(context)}  const made = new ${scope.hoist(plan.type)}();
${blocks}
${writeUnsent(plan, order, scope)}  return made;
}`;
}

function writeAnyOrder(plan: ClassPlan, name: Code, context: EmitContext): Code {
  const { scope } = context;
  const required = plan.properties.reduce(
    (bits, { mayBeAbsent }, at) => (mayBeAbsent ? bits : bits | (1 << at)),
    0,
  );
  const cases = plan.properties.map((property, at) => writeCase(property, at, context));
  return code`function ${name}(value) {
${writePrototypeCheck(scope)}
${writeBudget(context)}  const made = new ${scope.hoist(plan.type)}();
  let seen = 0;
  for (const key in value) {
    const held = value[key];
    switch (key) {
${cases}
      default:
${writeUnknown(plan, context)}
    }
  }
  if ((seen & ${required}) !== ${required}) return undefined;
${writeUnsent(plan, [], scope)}${writeLearning(plan, context)}
  return made;
}`;
}

/** How often another order of keys is met before it becomes the one that is expected. */
const LEARNING_TIME = 500;

function writeLearning(plan: ClassPlan, { scope, learn }: EmitContext): Code {
  const watch = {
    left: LEARNING_TIME,
    learn: (value: object, seen: number) => {
      const keys = Object.keys(value);
      if (keys.length === countBits(seen)) learn(plan.type, keys);
    },
  };
  const name = scope.hoist(watch, 'watch');
  return code`  ${name}.left -= 1;
  if (${name}.left === 0) ${name}.learn(value, seen);`;
}

function countBits(bits: number): number {
  return bits.toString(2).replaceAll('0', '').length;
}

function writeBudget({ guardsText, scope }: EmitContext): Code {
  if (!guardsText) return code``;
  const left = code`${scope.hoist(budget, 'budget')}.left`;
  return code`  ${left} -= 1;
  if (${left} < 0) return undefined;
`;
}

/** Only plain objects: what anything else inherits would be seen, too. */
function writePrototypeCheck(scope: Scope): Code {
  const prototypeOf = scope.hoist(Object.getPrototypeOf, 'prototypeOf');
  const plain = scope.hoist(Object.prototype, 'plain');
  return code`  const prototype = ${prototypeOf}(value);
  if (prototype !== ${plain} && prototype !== null) return undefined;`;
}

function writeCase(property: PropertyPlan, at: number, context: EmitContext): Code {
  return code`      case ${property.name}: {
${writeProperty(property, code`held`, context)}
        seen |= ${1 << at};
        break;
      }`;
}

/** A key without a rule: refused, left out, or copied, and never one that the instance has already. */
function writeUnknown(plan: ClassPlan, { settings, scope, convert, copiesUnknown }: EmitContext): Code {
  if (!copiesUnknown) return code`        return undefined;`;
  const prototype = scope.hoist(plan.type.prototype, 'members');
  const copy = code`${scope.hoist(convert, 'convert')}(held, undefined)`;
  return code`        if (key === 'then' || key === 'prototype' || key in ${prototype}) return undefined;
        ${settings.whitelist ? code`if (typeof held === 'object') ${copy};` : code`made[key] = typeof held === 'object' ? ${copy} : held;`}`;
}

function writeProperty(property: PropertyPlan, held: Code, context: EmitContext): Code[] {
  return [
    ...writeTextGuard(held, context),
    ...writeMade(property, held, context),
    ...writeRules(property, context),
    code`        ${member(code`made`, property.name)} = made_;`,
  ];
}

function writeTextGuard(held: Code, { guardsText }: EmitContext): Code[] {
  return guardsText
    ? [code`        if (typeof ${held} === 'string' && !${held}.isWellFormed()) return undefined;`]
    : [];
}

function writeMade({ content }: PropertyPlan, held: Code, context: EmitContext): Code[] {
  const { scope, convert } = context;
  const call = scope.hoist(convert, 'convert');
  if (content.kind === 'plain') {
    return [
      code`        const made_ = typeof ${held} === 'object' && ${held} !== null ? ${call}(${held}, ${plainType(content, scope)}) : ${held};`,
    ];
  }
  if (content.kind === 'read')
    return [code`        const made_ = ${scope.hoist(content.read, 'read')}(${held});`];
  const guard = content.typeFunction ? writeGuard(content.typeFunction, typeIn(content), scope) : [];
  if (content.kind === 'converted') {
    const arrayType = content.arrayType === undefined ? code`undefined` : scope.hoist(content.arrayType);
    return [
      ...guard,
      code`        const made_ = ${call}(${held}, ${scope.hoist(content.type)}, Array.isArray(${held}) ? ${arrayType} : undefined);`,
    ];
  }
  return [...guard, ...writePart(content.part, content.takesList, held, context)];
}

function typeIn(content: { kind: string; type?: Function; part?: ClassPlan }): Function {
  return (content.type ?? content.part?.type) as Function;
}

/** The class is asked for each time, as class-transformer does, for it may be another by now. */
function writeGuard(typeFunction: () => unknown, type: Function, scope: Scope): Code[] {
  return [
    code`        if (${scope.hoist(typeFunction, 'typeOf')}() !== ${scope.hoist(type)}) return undefined;`,
  ];
}

function writePart(part: ClassPlan, takesList: boolean, held: Code, context: EmitContext): Code[] {
  const list = takesList ? code`${listReaderOf(part, context)}(${held})` : code`undefined`;
  return [
    code`        let made_ = ${held};
        if (Array.isArray(${held})) {
          made_ = ${list};
          if (made_ === undefined) return undefined;
        } else if (typeof ${held} === 'object' && ${held} !== null) {
          made_ = ${readerOf(part, context)}(${held});
          if (made_ === undefined) return undefined;
        } else if (${held} !== undefined && ${held} !== null) return undefined;`,
  ];
}

function listReaderOf(part: ClassPlan, context: EmitContext): Code {
  const known = context.lists.get(part);
  if (known) return known;
  const name = context.scope.fresh(`readEach${part.type.name}`);
  context.lists.set(part, name);
  const reader = readerOf(part, context);
  context.functions.push(code`function ${name}(list) {
${writeBudget(context)}  const made = [];
  for (let index = 0; index < list.length; index++) {
    const element = list[index];
    if (typeof element !== 'object' || element === null) return undefined;
    const one = ${reader}(element);
    if (one === undefined) return undefined;
    made.push(one);
  }
  return made;
}`);
  return name;
}

function writeRules(property: PropertyPlan, context: EmitContext): Code[] {
  const { settings } = context;
  const defined = writeChecks(property.defined, context);
  const leaves = [...writeChecks(property.leaves, context), ...writeNullCheck(property)];
  const always = skipping(settings, leaves);
  const all = [...defined, ...always];
  const asked = whenAsked(property, code`made_`);
  if (all.length === 0 || !asked) return all;
  return [
    code`        if (${asked}) {
${all}
        }`,
  ];
}

/** `null` is nothing that could be nested, and class-validator says so. */
function writeNullCheck({ content }: PropertyPlan): Code[] {
  return content.kind === 'part' ? [code`        if (made_ === null) return undefined;`] : [];
}

function skipping(settings: Settings, checks: readonly Code[]): readonly Code[] {
  const skipped = [
    ...(settings.skipUndefined || settings.skipMissing ? [code`made_ !== undefined`] : []),
    ...(settings.skipNull || settings.skipMissing ? [code`made_ !== null`] : []),
  ];
  if (skipped.length === 0 || checks.length === 0) return checks;
  return [
    code`        if (${joined(skipped, ' && ')}) {
${checks}
        }`,
  ];
}

function writeChecks(rules: readonly PlannedRule[], { scope }: EmitContext): Code[] {
  return rules.map(({ leaf, constraints, test, isEach }) => {
    const holds = isEach
      ? code`${scope.hoist(eachIs, 'eachIs')}(made_, ${scope.hoist(test, `is${leaf.name}`)})`
      : leaf.emit(code`made_`, scope, constraints, test);
    return code`        if (!(${holds})) return undefined;`;
  });
}
