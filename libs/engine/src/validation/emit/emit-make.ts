import { assemble, type Assembled } from '../../shapes/code/assemble';
import { type Code, code, functionOf, joined, member, NOTHING, not, when } from '../../shapes/code/code';
import { Scope } from '../../shapes/code/scope';
import { nameOfClass } from '../../shapes/named';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { fieldSetter, keysOfClass, type Make } from '../run/place';
import { writeProperty } from './emit-operations';
import {
  type ClassContext,
  FAILED,
  failedIf,
  isMapOf,
  isPart,
  type MakeOrder,
  memberOf,
  nameOf,
  type ProgramContext,
  prototypesOf,
} from './make-context';
import { guarding, trusted } from './trust';

/**
 * Generates the code that creates class instances. It converts and transforms each key in turn and sets the property, like
 * class-transformer, and calls user code in that order.
 *
 * `tests` adds a test for each value after its conversion, which only sets `run.failed`.
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
  return assemble(`make ${nameOfClass(type)}`, code`${functions}\nreturn ${name};`, scope);
}

/** Creates the program context. Each function is generated when its name is first needed. */
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
    listMakerOf: (plan) => listMakers.get(plan) ?? writeListMaker(plan, context),
  };
  return context;
}

function writeMaker(plan: ClassPlan, context: ProgramContext): Code {
  const { scope, functions } = context;
  const name = scope.fresh(`make${nameOfClass(plan.type)}`);
  context.makers.set(plan, name);
  const own = { ...context, plan };
  if (!hasOrder(plan)) functions.push(writeAny(name, own));
  else {
    const anyName = code`${name}_any`;
    const any = context.isComplete ? writeAny(anyName, own) : writeLater(anyName, own);
    functions.push(writeOrdered(name, anyName, own), any);
  }
  return name;
}

/** Generates a function that is completed at its first call, because most values have their keys in declaration order. */
function writeLater(name: Code, { plan, scope, order, makers, listMakers }: ClassContext): Code {
  const plans = [[...makers.keys()], [...listMakers.keys()]] as const;
  const generate = (...functions: readonly unknown[]): Make => {
    const context = contextOf(plan, order);
    const names = functions.map((maker) => context.scope.hoist(maker, 'make'));
    plans[0].forEach((part, at) => context.makers.set(part, names[at]!));
    plans[1].forEach((part, at) => context.listMakers.set(part, names[plans[0].length + at]!));
    const own = context.scope.fresh(`make${nameOfClass(plan.type)}`);
    context.functions.push(writeAny(own, { ...context, plan }));
    return assembleMaker(plan, own, context).made;
  };
  const functions = joined([...makers.values(), ...listMakers.values()], ', ');
  const generated = code`${scope.hoist(generate, 'generate')}(${functions})`;
  return code`var ${name} = (value, run) => (${name} = ${generated})(value, run);`;
}

/**
 * Whether values with all keys may be read in declaration order, before the instance is created, since exposed keys are
 * converted even if they are absent.
 */
function hasOrder({ takesOwnKeys, hasNoUserCode, shape, byKey }: ClassPlan): boolean {
  return takesOwnKeys && hasNoUserCode && shape.exposed.every(({ property }) => byKey.has(property));
}

/**
 * Generates the fast path for keys in declaration order. It reads every value before the prototype, because by then the engine
 * knows the object's hidden class, and with it the prototype.
 */
function writeOrdered(name: Code, any: Code, context: ClassContext): Code {
  const { scope, plan, trust } = context;
  const keys = [...plan.byKey.keys()];
  const toAny = code`return ${any}(value, run);`;
  const { own, isOther } = prototypesOf(scope);
  return functionOf(
    name,
    code`(value, run) {
      let at = 0;
      for (const key in value) {
        if (key !== ${scope.hoist(keys, 'order')}[at]) ${toAny}
        at += 1;
      }
      if (at !== ${keys.length}) ${toAny}
      ${keys.map((key, at) => code`const raw${at} = ${member(code`value`, key)};`)}
      const prototype = ${own};
      if (${isOther} || ${trust.isOtherKind(context)}) ${toAny}
      ${trust.count(context)}
      const made = new ${scope.hoist(plan.type)}();
      ${plan.properties.map((property, at) => block(writeProperty(property, code`raw${at}`, context)))}
      return made;
    }`,
  );
}

/** Generates the function for keys in any order. */
function writeAny(name: Code, context: ClassContext): Code {
  const { scope, tests, plan, trust } = context;
  const keys = keysToConvert(context);
  // V8 reads the value of each key by its index in such a loop, whatever the order of the keys. Nothing may be deleted
  // meanwhile, so no code of a user is called with the value.
  const isRead = keys === Object.keys && plan.hasNoUserCode && plan.members.length === 0;
  const required = tests ? plan.properties.filter(isRequired).length : 0;
  const type = scope.hoist(plan.type);
  const isOdd = code`made.constructor !== ${type} || ${isMapOf(code`made`, scope)}`;
  const each = isRead
    ? code`for (const key in value) {\n${[trust.key(context), code`const raw = value[key];`]}`
    : code`for (let at = 0; at < keys.length; at++) {\nconst key = keys[at];`;
  const start = [
    trust.kind(context),
    trust.count(context),
    isRead ? NOTHING : code`const keys = ${scope.hoist(keys, 'keysOf')}(value);`,
    code`const made = new ${type}();`,
    plan.fields ? NOTHING : code`const isOdd = ${isOdd};`,
    required > 0 ? code`let sent = 0;` : NOTHING,
  ];
  return functionOf(
    name,
    code`(value, run) {
      ${start}
      ${each}
        switch (key) {
          ${writeCases(isRead, context)}
          default: {
            ${writeUnknown(isRead, context)}
          }
        }
      }
      ${required > 0 ? when(code`sent !== ${required}`, FAILED) : NOTHING}
      return made;
    }`,
  );
}

function keysToConvert({ plan, conversion }: ClassContext): (value: object) => readonly string[] {
  const takesAll = plan.takesOwnKeys && plan.shape.exposed.length === 0;
  return takesAll ? Object.keys : keysOfClass(plan.type, conversion.options);
}

/** @param isRead whether the key's value is already in `raw` */
function writeCases(isRead: boolean, context: ClassContext): Code[] {
  const { scope, tests, plan, trust } = context;
  const convert = (property: PropertyPlan): Code[] => [
    isRead ? NOTHING : code`const raw = ${memberOf(code`value`, property.key, scope)};`,
    ...[writeProperty(property, code`raw`, context)].flat(),
  ];
  const caseOf = ({ key }: PropertyPlan, steps: readonly Code[]): Code =>
    code`case ${nameOf(key, scope)}: {\n${[...steps, code`break;`]}\n}`;
  return [
    ...plan.properties.map((property) => {
      const counts = tests && isRequired(property);
      return caseOf(property, [...convert(property), counts ? code`sent += 1;` : NOTHING]);
    }),
    ...plan.members.map((property) => {
      const set = [trust.member(convert(property), context)].flat();
      return caseOf(property, [...set, failedIf(tests)]);
    }),
  ];
}

function isRequired({ planned, mayBeAbsent }: PropertyPlan): boolean {
  return planned !== undefined && !mayBeAbsent;
}

/** Generates the code for a key without a rule; `isRead` tells whether its value is already in `raw`. */
function writeUnknown(isRead: boolean, context: ClassContext): Code {
  const { scope, isGuarded, tests, plan, settings, conversion } = context;
  const isListedOnly = tests && settings.whitelist;
  const place = scope.hoist(fieldSetter(plan.type, conversion), 'place');
  const isSet = code`${scope.hoist(Object.hasOwn)}(made, key)`;
  const set = [code`${place}(made, value, key, run);`, isListedOnly ? when(isSet, FAILED) : NOTHING];
  const needsRaw = !isRead && (plan.isCopied || isGuarded);
  const start = [needsRaw ? code`const raw = value[key];` : NOTHING, context.trust.unknown(context)];
  if (!plan.isCopied) return code`${[...start, ...set]}`;
  const isMember = code`key in ${scope.hoist(plan.type.prototype, 'members')}`;
  const kinds = ['string', 'number', 'boolean'];
  const isSingle = joined(
    kinds.map((kind) => code`typeof raw === ${kind}`),
    ' || ',
  );
  const copy = [code`made[key] = raw;`, failedIf(isListedOnly)];
  return code`${[...start, when(code`(${isSingle}) && ${not(isMember)}`, copy, set)]}`;
}

/** Generates the function that creates a list of instances. */
function writeListMaker(plan: ClassPlan, context: ProgramContext): Code {
  const { scope, conversion, tests, trust } = context;
  const name = scope.fresh(`make${nameOfClass(plan.type)}_each`);
  context.listMakers.set(plan, name);
  const element = code`element`;
  const convert = scope.hoist(conversion.convert, 'convert');
  const isMap = isMapOf(element, scope);
  const converted = code`${convert}(element, ${scope.hoist(plan.type)}, undefined, ${isMap}, run)`;
  const single = [
    code`if (element === undefined && !(at in list)) continue;`,
    code`made.push(${trust.single(element, converted, context)});`,
    failedIf(tests),
  ];
  context.functions.push(
    functionOf(
      name,
      code`(list, run) {
        ${trust.count(context)}
        const made = [];
        const end = list.length;
        for (let at = 0; at < end; at++) {
          const element = list[at];
          ${when(isPart(element), code`made.push(${context.makerOf(plan)}(element, run));`, single)}
        }
        return made;
      }`,
    ),
  );
  return name;
}

function block(steps: Code | readonly Code[]): Code {
  return code`{\n${[steps]}\n}`;
}
