import { assemble, type Assembled, type Code, code, functionOf, joined, member, Scope } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { fallBack } from '../run/guard';
import { OrderLearner } from '../run/order-learner';
import { keysOfClass, type Make, placer } from '../run/place';
import { isInert, isOrdinary } from '../run/values';
import { writeBudget, writeListMaker } from './emit-part';
import { writeProperty } from './emit-property';
import { type ClassContext, FAILED, guardOf, type MakeOrder, type ProgramContext } from './make-context';

/**
 * Generates the code that creates instances of a class: it converts and transforms each key of the value in turn and
 * sets the property, as class-transformer does, and calls user code in that order.
 *
 * With `tests`, the rules are tested on each value after its conversion; this only sets `run.failed`.
 */
export function emitMake(plan: ClassPlan, order: MakeOrder): Assembled<Make> {
  const context = contextOf(plan, { ...order, removesUnknown: removalOf(plan, order) });
  return assembleMaker(plan, context.makerOf(plan), context);
}

/**
 * The whitelist reaches every object that passes its tests, and, before anything else, one that is validated when it is
 * complete; unless code of a user sees them before.
 */
function removalOf(plan: ClassPlan, { tests, isValidated, planner }: MakeOrder): MakeOrder['removesUnknown'] {
  const { whitelist, forbidNonWhitelisted, stopAtFirstError } = plan.settings;
  if (!whitelist || forbidNonWhitelisted || stopAtFirstError || planner.showsInstances(plan))
    return undefined;
  if (tests) return 'all';
  return isValidated && !plan.rules.isEmpty && !planner.isEndless(plan) ? plan : undefined;
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
  const own = { ...context, plan };
  const keys = [...plan.byKey.keys()];
  if (!isOrder(plan, keys)) functions.push(writeAny(name, own));
  else {
    const other = code`${name}_any`;
    const any = context.isComplete ? writeAny(other, own) : writeLater(other, own);
    functions.push(writeOrdered(name, keys, other, own), any);
  }
  return name;
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
      context.functions.push(write(name, { ...context, plan }));
      return assembleMaker(plan, name, context).made;
    };
    const compileOrder = (keys: readonly string[]): void => {
      const next = last;
      last = generate((name, context) =>
        writeOrdered(name, keys, context.scope.hoist(next, 'next'), context),
      );
      replace(last);
    };
    const learner = new OrderLearner((keys) => isOrder(plan, keys), compileOrder);
    let last = generate((name, context) => writeAny(name, context, learner));
    return last;
  };
}

/**
 * Whether values with these keys may be read in their order, before the instance is created: exposed keys are converted
 * even if they are absent.
 */
function isOrder({ takesOwnKeys, hasNoUserCode, shape, byKey }: ClassPlan, keys: readonly string[]): boolean {
  if (!takesOwnKeys || !hasNoUserCode || !keys.every((key) => byKey.has(key))) return false;
  return shape.exposed.every(({ property }) => keys.includes(property));
}

/**
 * The fast path, for keys in one order: that of declaration, or another. Every value is read before the prototype: by
 * then the engine knows the hidden class of the object, and with it the prototype.
 */
function writeOrdered(name: Code, keys: readonly string[], any: Code, context: ClassContext): Code {
  const { scope, plan, tests } = context;
  const properties = keys.flatMap((key) => plan.byKey.get(key) ?? []);
  const isIncomplete = plan.properties.some((one) => isRequired(one) && !properties.includes(one));
  const other = context.isGuarded ? code`` : code` || typeof value.then === 'function'`;
  const order = scope.hoist(keys, 'order');
  const values = keys.map((key, at) => code`  const raw${at} = ${member(code`value`, key)};`);
  const blocks = properties.map(
    (property, at) => code`  {\n${writeProperty(property, code`raw${at}`, context)}\n  }`,
  );
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
${blocks}
${tests && isIncomplete ? code`  ${FAILED}\n` : code``}  return made;
}`,
  );
}

function writeAny(name: Code, context: ClassContext, learner?: OrderLearner): Code {
  const { scope, tests, plan } = context;
  const keys =
    plan.takesOwnKeys && plan.shape.exposed.length === 0
      ? Object.keys
      : keysOfClass(plan.type, context.conversion.options);
  const isRead = keys === Object.keys && plan.hasNoUserCode;
  const cases = plan.properties.map(
    (property) => code`      case ${property.key}: {
${isRead ? code`` : code`        const raw = ${member(code`value`, property.key)};\n`}${writeProperty(property, code`raw`, context)}
${tests && isRequired(property) ? code`        sent += 1;\n` : code``}        break;
      }`,
  );
  const raw = learner && scope.hoist(learner, 'learner');
  const count = raw ? code`  if ((${raw}.left -= 1) === 0) ${raw}.count(value);\n` : code``;
  const required = tests ? plan.properties.filter(isRequired).length : 0;
  const place = placeOf(context);
  return functionOf(
    name,
    code`(value, run) {
${writeKindGuard(context)}${count}${writeBudget(context)}${isRead ? code`` : code`  const keys = ${scope.hoist(keys, 'keysOf')}(value);\n`}  const made = new ${scope.hoist(plan.type)}();
${writeOtherClass(place, context)}${required > 0 ? code`  let sent = 0;\n` : code``}${writeOthers(context)}${isRead ? writeEachRead(context) : code`  for (let at = 0; at < keys.length; at++) {\n    const key = keys[at];`}
    switch (key) {
${cases}
      default: {
${writeUnknown(place, isRead, context)}      }
    }
  }
${required > 0 ? code`  if (sent !== ${required}) ${FAILED}\n` : code``}  return made;
}`,
  );
}

function isRequired({ known, mayBeAbsent }: PropertyPlan): boolean {
  return known !== undefined && !mayBeAbsent;
}

/**
 * V8 reads the value of each key by its index in such a loop, whatever the order of the keys. Nothing may be deleted
 * meanwhile, so no code of a user is called with the value.
 */
function writeEachRead({ scope, isGuarded }: ClassContext): Code {
  const hasOwn = scope.hoist(Object.hasOwn, 'hasOwn');
  const isInherited = isGuarded ? code`` : code`    if (isOther && !${hasOwn}(value, key)) continue;\n`;
  return code`  for (const key in value) {
${isInherited}    const raw = value[key];`;
}

/** A constructor may return an instance of another class. */
function writeOtherClass(place: Code, { plan, scope }: ClassContext): Code {
  if (plan.fields) return code``;
  return code`  if (made.constructor !== ${scope.hoist(plan.type)}) {
    for (let at = 0; at < keys.length; at++) ${place}(made, value, keys[at], run);
    return made;
  }\n`;
}

/** The class of an object, and `then`, decide how it is converted; untrusted input has plain objects only. */
function writeKindGuard({ isGuarded, scope, tests, plan, conversion }: ClassContext): Code {
  if (!isGuarded) {
    const convert = scope.hoist(conversion.convert, 'convert');
    const whole = code`${convert}(value, ${scope.hoist(plan.type)}, undefined, value instanceof ${scope.hoist(Map, 'Map')}, run)`;
    const failed = tests ? code`    ${FAILED}\n` : code``;
    const isOther = code`${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value) !== ${scope.hoist(Object.prototype, 'plain')}`;
    return code`  const isOther = ${isOther};
  if (isOther && !${scope.hoist(isOrdinary, 'isOrdinary')}(value, undefined) || typeof value.then === 'function') {
    const made = ${whole};
${failed}    return made;
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

/**
 * A key without a rule; `isRead` if its value is `raw` already. A single value that the whitelist would remove again is
 * not set, if nobody can see that.
 */
function writeUnknown(place: Code, isRead: boolean, context: ClassContext): Code {
  const { scope, isGuarded, tests, plan, settings, removesUnknown } = context;
  const give = scope.hoist(fallBack, 'fallBack');
  const members = scope.hoist(plan.type.prototype, 'members');
  const raw = isRead ? code`` : code`        const raw = value[key];\n`;
  const guard = isGuarded
    ? code`        if (key === '__proto__' || key === 'prototype' || key in ${members}) ${give}();
        if (!key.isWellFormed() || (others += 1) > ${MOST_UNKNOWN}) ${give}();
        ${guardOf(context)}(raw, undefined, run);\n`
    : code``;
  const isListedOnly = tests && settings.whitelist;
  const set = isListedOnly
    ? code`          ${place}(made, value, key, run);\n          if (${scope.hoist(Object.hasOwn, 'hasOwn')}(made, key)) ${FAILED}`
    : code`          ${place}(made, value, key, run);`;
  if (!plan.isCopied) return code`${isGuarded ? raw : code``}${guard}${set}\n`;
  const isSingle = code`typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean'`;
  if (removesUnknown === 'all' || removesUnknown === plan)
    return code`${raw}${guard}        if (!(${isSingle} || ${scope.hoist(isInert)}(raw)) || key in ${members}) {
${set}
        }\n`;
  const failed = isListedOnly ? code`          ${FAILED}\n` : code``;
  return code`${raw}${guard}        if ((${isSingle}) && !(key in ${members})) {
          made[key] = raw;
${failed}        } else {
${set}
        }\n`;
}
