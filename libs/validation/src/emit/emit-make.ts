import { assemble, type Assembled, type Code, code, functionOf, joined, member, Scope } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { isOrdinary, keysOfClass, type Make, placer } from './convert';
import { WHOLE } from './doubt';
import { DoubtLayout } from './doubt-layout';
import { writeBudget, writeListMaker } from './emit-part';
import { writeProperty } from './emit-property';
import { fallBack } from './guard';
import { type ClassContext, guardOf, type MakeOrder, type ProgramContext } from './make-context';
import { isOrder, OrderLearner } from './order-learner';
import { listedIn, unknownIn } from './unknown';

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
  else {
    const other = code`${name}_any`;
    const any = context.isComplete ? writeAny(other, own) : writeLater(other, own);
    functions.push(writeOrdered(name, { keys: [...plan.byKey.keys()], other }, own), any);
  }
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

/**
 * A function that replaces itself, when it is first called, by one that is generated then; and that again by one for an
 * order of keys that many values have.
 */
function writeLater(name: Code, { plan, scope, order, makers, listMakers }: ClassContext): Code {
  const write = laterWriter(plan, order, [...makers.keys()], [...listMakers.keys()]);
  const made = [...makers.values(), ...listMakers.values()];
  const replace = code`(made) => { ${name} = made; }`;
  return code`var ${name} = (value, run) => (${name} = ${scope.hoist(write, 'write')}(${joined([replace, ...made], ', ')}))(value, run);`;
}

/** Its function gets the functions of the program: those that create instances of `plans`, and lists of `listed`. */
function laterWriter(
  plan: ClassPlan,
  order: MakeOrder,
  plans: readonly ClassPlan[],
  listed: readonly ClassPlan[],
): (replace: (made: Make) => void, ...made: Make[]) => Make {
  return (replace, ...made) => {
    const generate = (write: (name: Code, context: ClassContext) => Code): Make => {
      const context = contextOf(plan, order);
      const { scope, makers, listMakers } = context;
      plans.forEach((one, at) => makers.set(one, scope.hoist(made[at], 'make')));
      listed.forEach((one, at) => listMakers.set(one, scope.hoist(made[plans.length + at], 'makeEach')));
      const name = scope.fresh(`make${plan.type.name}`);
      context.functions.push(write(name, classContextOf(plan, context)));
      return assembleMaker(plan, name, context).made;
    };
    const learner = new OrderLearner(plan, (keys) => {
      const next = last;
      last = generate((name, context) =>
        writeOrdered(name, { keys, other: context.scope.hoist(next, 'next') }, context),
      );
      replace(last);
    });
    let last = generate((name, context) => writeAny(name, context, learner));
    return last;
  };
}

/** Whether values may be read before the instance is created. */
function hasOrder({ plan }: ClassContext): boolean {
  return plan.takesOwnKeys && plan.isQuiet && isOrder(plan, [...plan.byKey.keys()]);
}

/** The keys of a value, in order, and the function for any other value. */
interface Ordered {
  readonly keys: readonly string[];
  readonly other: Code;
}

/**
 * The fast path, for keys in one order: that of declaration, or another. Every value is read before the prototype: by
 * then the engine knows the hidden class of the object, and with it the prototype.
 */
function writeOrdered(name: Code, { keys, other: any }: Ordered, context: ClassContext): Code {
  const { scope, plan, layout, tries } = context;
  const other = context.isGuarded ? code`` : code` || typeof value.then === 'function'`;
  const order = scope.hoist(keys, 'order');
  const values = keys.map((key, at) => code`  const held${at} = ${member(code`value`, key)};`);
  const properties = keys.flatMap((key) => plan.byKey.get(key) ?? []);
  const place = properties.length < keys.length ? placeOf(context) : code``;
  const blocks = keys.map((key, at) => {
    const property = plan.byKey.get(key);
    const held = code`held${at}`;
    if (property) return code`  {\n${writeProperty(property, held, context)}\n  }`;
    return code`  {\n  const key = ${key}, held = ${held};\n${writeUnknown(place, true, context)}  }`;
  });
  return functionOf(
    name,
    code`(value, run) {
  let at = 0;
  for (const key in value) {
    if (key !== ${order}[at]) return ${any}(value, run);
    at += 1;
  }
  if (at !== ${keys.length}) return ${any}(value, run);
${values}
  const prototype = ${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value);
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null${other}) return ${any}(value, run);
${writeBudget(context)}  const made = new ${scope.hoist(plan.type)}();
${tries ? layout.variables(scope.hoist(WHOLE, 'whole')) : []}
${writeOthers(context)}${blocks}
${tries ? writeAbsent(properties, context) : []}
${tries ? writeResult(context) : code``}
  return made;
}`,
  );
}

/** Marks the properties that these keys do not set, and that may not be absent. */
function writeAbsent(sent: readonly PropertyPlan[], { plan, layout }: ClassContext): Code[] {
  const absent = plan.properties.filter((property) => isRequired(property) && !sent.includes(property));
  return absent.map((property) => code`  ${layout.mark(property)}`);
}

function isRequired({ known, mayBeAbsent }: PropertyPlan): boolean {
  return known !== undefined && !mayBeAbsent;
}

function writeResult({ layout }: ClassContext): Code {
  const { isAny, doubt } = layout.result();
  return code`  if (${isAny}) run.doubt = ${doubt};`;
}

function writeAny(name: Code, context: ClassContext, learner?: OrderLearner): Code {
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
  const place = placeOf(context);
  const look = learner && scope.hoist(learner, 'learner');
  return functionOf(
    name,
    code`(value, run) {
${writeKindGuard(context)}${look ? code`  if ((${look}.left -= 1) === 0) ${look}.look(value);\n` : code``}${writeBudget(context)}${isRead ? code`` : code`  const keys = ${scope.hoist(keys, 'keysOf')}(value);\n`}  const made = new ${scope.hoist(plan.type)}();
${writeOtherClass(place, context)}${tries ? layout.variables(scope.hoist(WHOLE, 'whole')) : []}
${[...seen.map((word) => code`  let seen${word} = 0;`), ...(plan.fields ? [] : properties.map((_, at) => code`  let tested${at};`))]}
${writeOthers(context)}${isRead ? writeEachRead(context) : code`  for (let at = 0; at < keys.length; at++) {\n    const key = keys[at];`}
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
    Math.floor(at / BITS) === word && isRequired(property) ? [{ property, at }] : [],
  );
  if (required.length === 0) return code``;
  const all = required.reduce((bits, { at }) => bits | (1 << (at % BITS)), 0);
  const marks = required.map(({ property, at }) => code`    if (${isUnseen(at)}) ${layout.mark(property)}`);
  return code`  if ((seen${word} & ${all}) !== ${all}) {\n${marks}\n  }`;
}

/** A constructor may have set properties that were not sent or not declared, or defined accessors that change others. */
function writeUnsent({ plan, scope, settings, layout }: ClassContext): Code {
  const changed = plan.properties.flatMap((property, at) =>
    property.isListed
      ? code`  if (${member(code`made`, property.name)} !== tested${at}) ${layout.mark(property)}`
      : [],
  );
  if (settings.whitelist)
    changed.push(
      code`  if (${scope.hoist(unknownIn)}(${scope.hoist(listedIn(plan.rules, settings), 'listed')}, made)) ${layout.markUnknown()}`,
    );
  return code`${changed}`;
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

/** The number of unknown fields. */
function writeOthers({ isGuarded }: ClassContext): Code {
  return isGuarded ? code`  let others = 0;\n` : code``;
}

/** The name of a function that converts and sets a field without a rule. */
function placeOf({ scope, plan, conversion }: ClassContext): Code {
  return scope.hoist(placer(plan.type, conversion), 'place');
}

/** A key without a rule; `isRead` if its value is `held` already. */
function writeUnknown(place: Code, isRead: boolean, context: ClassContext): Code {
  const { scope, isGuarded, tries, plan, layout } = context;
  const give = scope.hoist(fallBack, 'fallBack');
  const members = scope.hoist(plan.type.prototype, 'members');
  const held = isRead ? code`` : code`        const held = value[key];\n`;
  const guard = isGuarded
    ? code`        if (key === '__proto__' || key === 'prototype' || key in ${members}) ${give}();
        if (!key.isWellFormed() || (others += 1) > ${MOST_UNKNOWN}) ${give}();
        ${guardOf(context)}(held, undefined, run);\n`
    : code``;
  const isMarked = tries && plan.settings.whitelist;
  const mark = isMarked ? layout.markUnknown(code`key`) : code``;
  const isSet = isMarked
    ? code`\n          if (${scope.hoist(Object.hasOwn, 'hasOwn')}(made, key)) { ${mark} }`
    : code``;
  const set = code`          ${place}(made, value, key, run);${isSet}`;
  if (!plan.isCopied) return code`${isGuarded ? held : code``}${guard}${set}\n`;
  return code`${held}${guard}        if ((typeof held === 'string' || typeof held === 'number' || typeof held === 'boolean') && !(key in ${members})) {
          made[key] = held;
          ${mark}
        } else {
${set}
        }\n`;
}
