import { assemble, type Assembled } from '../../shapes/code/assemble';
import { type Code, code, functionOf, joined, member } from '../../shapes/code/code';
import { Scope } from '../../shapes/code/scope';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { fieldSetter, keysOfClass, type Make } from '../run/place';
import { isInert } from '../run/values';
import { writeProperty } from './emit-operations';
import {
  type ClassContext,
  FAILED,
  type MakeOrder,
  memberOf,
  nameOf,
  type ProgramContext,
} from './make-context';
import { guarding, trusted } from './trust';

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
    trust: order.isGuarded ? guarding : trusted,
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
  if (!hasOrder(plan)) functions.push(writeAny(name, own));
  else {
    const other = code`${name}_any`;
    const any = context.isComplete ? writeAny(other, own) : writeLater(other, own);
    functions.push(writeOrdered(name, other, own), any);
  }
  return name;
}

function writeList(plan: ClassPlan, context: ProgramContext): Code {
  const name = context.scope.fresh(`make${plan.type.name}_each`);
  context.listMakers.set(plan, name);
  context.functions.push(writeListMaker(plan, name, context));
  return name;
}

/** A function that is generated when it is first called: most values have the keys in the order of declaration. */
function writeLater(name: Code, { plan, scope, order, makers, listMakers }: ClassContext): Code {
  const plans = [[...makers.keys()], [...listMakers.keys()]] as const;
  const generate = (...made: readonly unknown[]): Make => {
    const context = contextOf(plan, order);
    const values = made.map((one) => context.scope.hoist(one, 'make'));
    plans[0].forEach((one, at) => context.makers.set(one, values[at]!));
    plans[1].forEach((one, at) => context.listMakers.set(one, values[plans[0].length + at]!));
    const own = context.scope.fresh(`make${plan.type.name}`);
    context.functions.push(writeAny(own, { ...context, plan }));
    return assembleMaker(plan, own, context).made;
  };
  const made = joined([...makers.values(), ...listMakers.values()], ', ');
  return code`var ${name} = (value, run) => (${name} = ${scope.hoist(generate, 'generate')}(${made}))(value, run);`;
}

/**
 * Whether values with all keys may be read in the order of declaration, before the instance is created: exposed keys are
 * converted even if they are absent.
 */
function hasOrder({ takesOwnKeys, hasNoUserCode, shape, byKey }: ClassPlan): boolean {
  return takesOwnKeys && hasNoUserCode && shape.exposed.every(({ property }) => byKey.has(property));
}

/**
 * The fast path, for keys in the order of declaration. Every value is read before the prototype: by then the engine
 * knows the hidden class of the object, and with it the prototype.
 */
function writeOrdered(name: Code, any: Code, context: ClassContext): Code {
  const { scope, plan, trust } = context;
  const keys = [...plan.byKey.keys()];
  const order = scope.hoist(keys, 'order');
  const values = keys.map((key, at) => code`  const raw${at} = ${member(code`value`, key)};`);
  const blocks = plan.properties.map(
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
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null${trust.otherKind}) return ${any}(value, run);
${trust.count(context)}  const made = new ${scope.hoist(plan.type)}();
${blocks}
  return made;
}`,
  );
}

function writeAny(name: Code, context: ClassContext): Code {
  const { scope, tests, plan, trust } = context;
  const keys =
    plan.takesOwnKeys && plan.shape.exposed.length === 0
      ? Object.keys
      : keysOfClass(plan.type, context.conversion.options);
  const isRead = keys === Object.keys && plan.hasNoUserCode && plan.members.length === 0;
  const read = (key: string) =>
    isRead ? code`` : code`        const raw = ${memberOf(code`value`, key, scope)};\n`;
  const cases = plan.properties.map(
    (property) => code`      case ${property.key}: {
${read(property.key)}${writeProperty(property, code`raw`, context)}
${tests && isRequired(property) ? code`        sent += 1;\n` : code``}        break;
      }`,
  );
  const members = plan.members.map((property) => {
    const convert = code`${read(property.key)}${writeProperty(property, code`raw`, context)}`;
    return code`      case ${nameOf(property.key, scope)}: {
${trust.member(convert, context)}
${tests ? code`        ${FAILED}\n` : code``}        break;
      }`;
  });
  const required = tests ? plan.properties.filter(isRequired).length : 0;
  const type = scope.hoist(plan.type);
  const isOdd = code`made.constructor !== ${type} || made instanceof ${scope.hoist(Map, 'Map')}`;
  return functionOf(
    name,
    code`(value, run) {
${trust.kind(context)}${trust.count(context)}${isRead ? code`` : code`  const keys = ${scope.hoist(keys, 'keysOf')}(value);\n`}  const made = new ${type}();
${plan.fields ? code`` : code`  const isOdd = ${isOdd};\n`}${required > 0 ? code`  let sent = 0;\n` : code``}${isRead ? writeEachRead(context) : code`  for (let at = 0; at < keys.length; at++) {\n    const key = keys[at];`}
    switch (key) {
${[...cases, ...members]}
      default: {
${writeUnknown(isRead, context)}      }
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
function writeEachRead(context: ClassContext): Code {
  return code`  for (const key in value) {
${context.trust.key(context)}    const raw = value[key];`;
}

/**
 * A key without a rule; `isRead` if its value is `raw` already. A single value that the whitelist would remove again is
 * not set, if nobody can see that.
 */
function writeUnknown(isRead: boolean, context: ClassContext): Code {
  const { scope, isGuarded, tests, plan, settings, removesUnknown, conversion } = context;
  const members = scope.hoist(plan.type.prototype, 'members');
  const raw = isRead ? code`` : code`        const raw = value[key];\n`;
  const guard = context.trust.unknown(context);
  const isListedOnly = tests && settings.whitelist;
  const set = code`          ${scope.hoist(fieldSetter(plan.type, conversion), 'place')}(made, value, key, run);${isListedOnly ? code`\n          if (${scope.hoist(Object.hasOwn, 'hasOwn')}(made, key)) ${FAILED}` : code``}`;
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

/** Generates the function that creates a list of instances. */
function writeListMaker(plan: ClassPlan, name: Code, context: ProgramContext): Code {
  const { scope, conversion, tests, trust } = context;
  const convert = code`${scope.hoist(conversion.convert, 'convert')}(element, ${scope.hoist(plan.type)}, undefined, element instanceof ${scope.hoist(Map, 'Map')}, run)`;
  return functionOf(
    name,
    code`(list, run) {
${trust.count(context)}  const made = [];
  const end = list.length;
  for (let at = 0; at < end; at++) {
    const element = list[at];
    if (typeof element === 'object' && element !== null && !Array.isArray(element)) {
      made.push(${context.makerOf(plan)}(element, run));
    } else {
      if (element === undefined && !(at in list)) continue;
      made.push(${trust.single(code`element`, convert, context)});
${tests ? code`      ${FAILED}\n` : code``}    }
  }
  return made;
}`,
  );
}
