import { assemble, type Assembled, type Code, code, functionOf, joined, member, Scope } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { isOrdinary, keysOfClass, type Make, placer } from './convert';
import { WHOLE } from './doubt';
import { DoubtLayout } from './doubt-layout';
import { writeBudget, writeListMaker } from './emit-part';
import { writeProperty } from './emit-property';
import { fallBack } from './guard';
import { type ClassContext, guardOf, type MakeOrder, type ProgramContext } from './make-context';
import { hasUnknown } from './unknown';

/**
 * Generates the code that creates instances of a class: it converts and transforms each key of the value in turn and
 * sets the property, as class-transformer does, and calls user code in that order.
 *
 * With `tries`, the known rules are tested on each value after its conversion; this only sets `run.doubt`.
 */
export function emitMake(plan: ClassPlan, order: MakeOrder): Assembled<Make> {
  const context = contextOf(plan, order);
  return assembleMaker(plan, context.makerOf(plan), context);
}

function assembleMaker(
  { type }: ClassPlan,
  name: Code,
  { functions, scope }: ProgramContext,
): Assembled<Make> {
  return assemble(`make ${type.name}`, code`${functions}\nreturn ${name};`, scope);
}

/** Each function is generated when its name is first needed. */
function contextOf({ settings }: ClassPlan, order: MakeOrder): ProgramContext {
  const makers = new Map<ClassPlan, Code>();
  const listMakers = new Map<ClassPlan, Code>();
  const context: ProgramContext = {
    ...order,
    order,
    scope: new Scope(),
    settings,
    functions: [],
    makers,
    listMakers,
    makerOf: (plan) => makers.get(plan) ?? writeMaker(plan, context),
    listMakerOf: (plan) => listMakers.get(plan) ?? writeList(plan, context),
  };
  return context;
}

function writeMaker(plan: ClassPlan, context: ProgramContext): Code {
  const { scope, functions } = context;
  const name = scope.fresh(`make${plan.type.name}`);
  context.makers.set(plan, name);
  const own = classContextOf(plan, context);
  if (!hasOrder(own)) functions.push(writeAny(name, own));
  else if (context.isComplete) functions.push(writeOrdered(name, own), writeAny(anyName(name), own));
  else functions.push(writeOrdered(name, own), writeLater(anyName(name), own));
  return name;
}

function classContextOf(plan: ClassPlan, context: ProgramContext): ClassContext {
  return { ...context, plan, layout: new DoubtLayout(plan, context.planner) };
}

function writeList(plan: ClassPlan, context: ProgramContext): Code {
  const name = context.scope.fresh(`make${plan.type.name}_each`);
  context.listMakers.set(plan, name);
  context.functions.push(writeListMaker(plan, name, context));
  return name;
}

/** A function that replaces itself, when it is first called, by one that is generated then. */
function writeLater(name: Code, { plan, scope, order, makers, listMakers }: ClassContext): Code {
  const write = laterWriter(plan, order, [...makers.keys()], [...listMakers.keys()]);
  const made = [...makers.values(), ...listMakers.values()];
  return code`var ${name} = (value, run) => (${name} = ${scope.hoist(write, 'write')}(${joined(made, ', ')}))(value, run);`;
}

/** Its function gets the functions of the program: those that create instances of `plans`, and lists of `listed`. */
function laterWriter(
  plan: ClassPlan,
  order: MakeOrder,
  plans: readonly ClassPlan[],
  listed: readonly ClassPlan[],
): (...made: Make[]) => Make {
  return (...made) => {
    const context = contextOf(plan, order);
    const { scope, makers, listMakers } = context;
    plans.forEach((one, at) => makers.set(one, scope.hoist(made[at], 'make')));
    listed.forEach((one, at) => listMakers.set(one, scope.hoist(made[plans.length + at], 'makeEach')));
    const name = scope.fresh(`make${plan.type.name}_any`);
    context.functions.push(writeAny(name, classContextOf(plan, context)));
    return assembleMaker(plan, name, context).made;
  };
}

function anyName(name: Code): Code {
  return code`${name}_any`;
}

/** Whether values may be read before the instance is created. */
function hasOrder(context: ClassContext): boolean {
  const { plan } = context;
  const keys = new Set(orderedOf(context).map(({ key }) => key));
  const isSent = plan.shape.exposed.every(({ property }) => keys.has(property));
  return plan.takesOwnKeys && plan.isQuiet && isSent;
}

/** The properties of most values. */
function orderedOf({ plan, settings, tries }: ClassContext): readonly PropertyPlan[] {
  return plan.properties.filter(({ isListed }) => isListed || !settings.whitelist || !tries);
}

/**
 * The fast path, for keys in the order of declaration. Every value is read before the prototype: by then the engine
 * knows the hidden class of the object, and with it the prototype.
 */
function writeOrdered(name: Code, context: ClassContext): Code {
  const { scope, plan, layout, tries } = context;
  const properties = orderedOf(context);
  const any = anyName(name);
  const other = context.isGuarded ? code`` : code` || typeof value.then === 'function'`;
  const order = scope.hoist(
    properties.map(({ key }) => key),
    'order',
  );
  const values = properties.map(({ key }, at) => code`  const held${at} = ${member(code`value`, key)};`);
  const blocks = properties.map(
    (property, at) => code`  {\n${writeProperty(property, code`held${at}`, context)}\n  }`,
  );
  return functionOf(
    name,
    code`(value, run) {
  let at = 0;
  for (const key in value) {
    if (key !== ${order}[at]) return ${any}(value, run);
    at += 1;
  }
  if (at !== ${properties.length}) return ${any}(value, run);
${values}
  const prototype = ${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value);
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null${other}) return ${any}(value, run);
${writeBudget(context)}  const made = new ${scope.hoist(plan.type)}();
${tries ? layout.variables(scope.hoist(WHOLE, 'whole')) : []}
${blocks}
${tries ? writeResult(context) : code``}
  return made;
}`,
  );
}

function writeResult({ layout }: ClassContext): Code {
  const { isAny, doubt } = layout.result();
  return code`  if (${isAny}) run.doubt = ${doubt};`;
}

function writeAny(name: Code, context: ClassContext): Code {
  const { scope, tries, plan, layout } = context;
  const { properties } = plan;
  const keys =
    plan.takesOwnKeys && plan.shape.exposed.length === 0
      ? Object.keys
      : keysOfClass(plan.type, context.conversion.options);
  const isRead = keys === Object.keys && plan.isQuiet;
  const cases = properties.map(
    (property, at) => code`      case ${property.key}: {
${isRead ? code`` : code`        const held = ${member(code`value`, property.key)};\n`}${writeProperty(property, code`held`, context)}
${tries ? code`        ${writeSeen(at)}\n` : code``}        break;
      }`,
  );
  const seen = tries ? seenWords(plan) : [];
  const place = scope.hoist(placer(plan.type, context.conversion), 'place');
  return functionOf(
    name,
    code`(value, run) {
${writeKindGuard(context)}${writeBudget(context)}${isRead ? code`` : code`  const keys = ${scope.hoist(keys, 'keysOf')}(value);\n`}  const made = new ${scope.hoist(plan.type)}();
${writeOtherClass(place, context)}${tries ? layout.variables(scope.hoist(WHOLE, 'whole')) : []}
${seen.map((word) => code`  let seen${word} = 0;`)}
${context.isGuarded ? code`  let unknown = 0;\n` : code``}${isRead ? writeEachRead(context) : code`  for (let at = 0; at < keys.length; at++) {\n    const key = keys[at];`}
    switch (key) {
${cases}
      default: {
${writeUnknown(place, isRead, context)}      }
    }
  }
${seen.map((word) => writeMissing(word, context))}${tries && !plan.fields ? writeUnsent(context) : code``}
${tries ? writeResult(context) : code``}
  return made;
}`,
  );
}

/**
 * V8 reads the value of each key by its index in such a loop, whatever the order of the keys. Nothing may be deleted
 * meanwhile, so no code of a user is called with the value.
 */
function writeEachRead({ scope, isGuarded }: ClassContext): Code {
  const hasOwn = scope.hoist(Object.hasOwn, 'hasOwn');
  const isInherited = isGuarded ? code`` : code`    if (isOther && !${hasOwn}(value, key)) continue;\n`;
  return code`  for (const key in value) {
${isInherited}    const held = value[key];`;
}

/** A constructor may return an instance of another class. */
function writeOtherClass(place: Code, { plan, scope, tries }: ClassContext): Code {
  if (plan.fields) return code``;
  return code`  if (made.constructor !== ${scope.hoist(plan.type)}) {
    for (let at = 0; at < keys.length; at++) ${place}(made, value, keys[at], run);
${tries ? code`    run.doubt = ${scope.hoist(WHOLE, 'whole')};\n` : code``}    return made;
  }\n`;
}

/** The number of properties per word of `seen`, which has a bit for each key. */
const BITS = 30;

function seenWords({ properties }: ClassPlan): number[] {
  return Array.from({ length: Math.ceil(properties.length / BITS) }, (_, at) => at);
}

function writeSeen(at: number): Code {
  return code`seen${Math.floor(at / BITS)} |= ${1 << (at % BITS)};`;
}

function isUnseen(at: number): Code {
  return code`(seen${Math.floor(at / BITS)} & ${1 << (at % BITS)}) === 0`;
}

function writeMissing(word: number, { plan, layout }: ClassContext): Code {
  const required = plan.properties.flatMap((property, at) =>
    Math.floor(at / BITS) === word && property.known && !property.mayBeAbsent ? [{ property, at }] : [],
  );
  if (required.length === 0) return code``;
  const all = required.reduce((bits, { at }) => bits | (1 << (at % BITS)), 0);
  const marks = required.map(({ property, at }) => code`    if (${isUnseen(at)}) ${layout.mark(property)}`);
  return code`  if ((seen${word} & ${all}) !== ${all}) {\n${marks}\n  }`;
}

/** A constructor may have set properties that were not sent or not declared. */
function writeUnsent({ plan, scope, settings, layout }: ClassContext): Code {
  const absent = plan.properties.flatMap((property, at) =>
    property.mayBeAbsent && property.isListed
      ? code`  if (${isUnseen(at)} && ${member(code`made`, property.name)} !== undefined) ${layout.mark(property)}`
      : [],
  );
  const unknown = settings.whitelist
    ? [
        code`  if (${scope.hoist(hasUnknown, 'hasUnknown')}(made, ${scope.hoist(plan.rules.known, 'known')})) ${layout.markUnknown()}`,
      ]
    : [];
  return code`${[...absent, ...unknown]}`;
}

/** The class of an object, and `then`, decide how it is converted; untrusted input has plain objects only. */
function writeKindGuard({ isGuarded, scope, tries, plan, conversion }: ClassContext): Code {
  if (!isGuarded) {
    const convert = scope.hoist(conversion.convert, 'convert');
    const whole = code`${convert}(value, ${scope.hoist(plan.type)}, undefined, value instanceof ${scope.hoist(Map, 'Map')}, run)`;
    const doubt = tries ? code`    run.doubt = ${scope.hoist(WHOLE, 'whole')};\n` : code``;
    const isOther = code`${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value) !== ${scope.hoist(Object.prototype, 'plain')}`;
    return code`  const isOther = ${isOther};
  if (isOther && !${scope.hoist(isOrdinary, 'isOrdinary')}(value, undefined) || typeof value.then === 'function') {
    const made = ${whole};
${doubt}    return made;
  }\n`;
  }
  return code`  const prototype = ${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value);
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null) ${scope.hoist(fallBack, 'fallBack')}();\n`;
}

/** Above this number, the unknown fields of an object are counted individually. */
const MOST_UNKNOWN = 900;

/** A key without a rule. */
function writeUnknown(place: Code, isRead: boolean, context: ClassContext): Code {
  const { scope, isGuarded, tries, plan, layout } = context;
  const give = scope.hoist(fallBack, 'fallBack');
  const members = scope.hoist(plan.type.prototype, 'members');
  const guard = isGuarded
    ? code`        if (key === '__proto__' || key === 'prototype' || key in ${members}) ${give}();
        if (!key.isWellFormed() || (unknown += 1) > ${MOST_UNKNOWN}) ${give}();
        ${guardOf(context)}(${isRead ? code`held` : code`value[key]`}, undefined, run);\n`
    : code``;
  const doubt = tries && plan.settings.whitelist ? code`        ${layout.markUnknown()}\n` : code``;
  const set = code`${place}(made, value, key, run);`;
  // Such a loop has the fields that someone added to every object too.
  const other = isRead ? code`if (${scope.hoist(Object.hasOwn, 'hasOwn')}(value, key)) ${set}` : set;
  if (!plan.isCopied) return code`${guard}        ${other}\n${doubt}`;
  return code`${guard}${isRead ? code`` : code`        const held = value[key];\n`}        if ((typeof held === 'string' || typeof held === 'number' || typeof held === 'boolean') && !(key in ${members})) made[key] = held;
        else ${other}\n${doubt}`;
}
