import { assemble, type Assembled, type Code, code, joined, member, Scope } from '@app/shapes';
import type { ClassPlan, PlannedRule, PropertyPlan } from '../plan/plan';
import type { Planner } from '../plan/planner';
import type { Settings } from '../plan/settings';
import { type Conversion, isOrdinary, keysOfClass, type Make, placer } from './convert';
import { eachIs } from './each';
import { told as tellType } from './discriminator';
import { giveUp, guarded, guardedPlain } from './guard';
import { hasUnknown } from './unknown';

/** The options of the functions that create instances. */
export interface MakeOrder {
  readonly planner: Planner;
  readonly conversion: Conversion;
  /** Whether rules are tested during creation; an instance with a failed rule is marked as doubted. */
  readonly tries: boolean;
  /** Whether to give up on input that requires a check as a whole. */
  readonly isGuarded: boolean;
  /** Whether strings are converted, and other values given up on, where a boolean is expected. */
  readonly readsBooleans: boolean;
}

/** The context that all functions of one program share. */
interface EmitContext extends MakeOrder {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly makers: Map<Function, Code>;
  readonly lists: Map<Function, Code>;
  readonly functions: Code[];
}

/**
 * Generates the code that creates instances of a class: it converts and transforms each key of the value in turn and
 * sets the property, as class-transformer does, and calls user code in that order.
 *
 * With `tries`, the known rules are tested on each value after its conversion; this only sets `isDoubted`.
 */
export function emitMake(plan: ClassPlan, order: MakeOrder): Assembled<Make> {
  const context: EmitContext = {
    ...order,
    scope: new Scope(),
    settings: plan.settings,
    makers: new Map(),
    lists: new Map(),
    functions: [],
  };
  const name = makerOf(plan, context);
  return assemble(`make ${plan.type.name}`, code`${context.functions}\nreturn ${name};`, context.scope);
}

function makerOf(plan: ClassPlan, context: EmitContext): Code {
  const known = context.makers.get(plan.type);
  if (known) return known;
  const name = context.scope.fresh(`make${plan.type.name}`);
  context.makers.set(plan.type, name);
  context.functions.push(
    ...(context.tries ? writeOrdered(plan, name, context) : []),
    writeAny(plan, name, context),
  );
  return name;
}

function anyName(name: Code, { tries }: EmitContext): Code {
  return tries ? code`${name}_any` : name;
}

/**
 * The fast path, for keys in the order of declaration. Every value is read before the prototype: by then the engine
 * knows the hidden class of the object, and with it the prototype.
 */
function writeOrdered(plan: ClassPlan, name: Code, context: EmitContext): Code[] {
  const { scope, settings } = context;
  const properties = plan.properties.filter(({ isListed }) => isListed || !settings.whitelist);
  const any = anyName(name, context);
  const keys = new Set(properties.map(({ key }) => key));
  const isSent = plan.shape.exposed.every(({ property }) => keys.has(property));
  if (!plan.takesOwnKeys || !plan.isQuiet || !isSent)
    return [code`function ${name}(value, run) {\n  return ${any}(value, run);\n}`];
  const order = scope.hoist(
    properties.map(({ key }) => key),
    'order',
  );
  const values = properties.map(({ key }, at) => code`  const held${at} = ${member(code`value`, key)};`);
  const blocks = properties.map(
    (property, at) => code`  {\n${writeProperty(property, code`held${at}`, plan, context)}\n  }`,
  );
  return [
    code`function ${name}(value, run) {
  let at = 0;
  for (const key in value) {
    if (key !== ${order}[at]) return ${any}(value, run);
    at += 1;
  }
  if (at !== ${properties.length}) return ${any}(value, run);
${values}
  const prototype = ${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value);
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null) return ${any}(value, run);
${writeBudget(context)}  const made = new ${scope.hoist(plan.type)}();
${blocks}
  return made;
}`,
  ];
}

function writeAny(plan: ClassPlan, name: Code, context: EmitContext): Code {
  const { scope, tries } = context;
  const { properties } = plan;
  const keys =
    plan.takesOwnKeys && plan.shape.exposed.length === 0
      ? Object.keys
      : keysOfClass(plan.type, context.conversion.options);
  const cases = properties.map(
    (property, at) => code`      case ${property.key}: {
        const held = ${member(code`value`, property.key)};
${writeProperty(property, code`held`, plan, context)}
${tries ? code`        seen${Math.floor(at / BITS)} |= ${1 << (at % BITS)};\n` : code``}        break;
      }`,
  );
  const words = tries ? Array.from({ length: Math.ceil(properties.length / BITS) }, (_, at) => at) : [];
  const place = scope.hoist(placer(plan.type, context.conversion), 'place');
  const isOther = plan.fields
    ? code``
    : code`  if (made.constructor !== ${scope.hoist(plan.type)}) {
    for (let at = 0; at < keys.length; at++) ${place}(made, value, keys[at], run);
${tries ? code`    run.isDoubted = true;\n` : code``}    return made;
  }\n`;
  return code`function ${anyName(name, context)}(value, run) {
${writePlainGuard(context)}${writeBudget(context)}  const keys = ${scope.hoist(keys, 'keysOf')}(value);
  const made = new ${scope.hoist(plan.type)}();
${isOther}${words.map((at) => code`  let seen${at} = 0;`)}
${context.isGuarded ? code`  let unknown = 0;\n` : code``}  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    switch (key) {
${cases}
      default:
${writeUnknown(plan, place, context)}
    }
  }
${words.map((at) => writeMissing(properties, at))}${tries && !plan.fields ? writeUnsent(plan, context) : code``}
  return made;
}`;
}

/** The number of properties per bit mask of present keys. */
const BITS = 30;

function writeMissing(properties: readonly PropertyPlan[], word: number): Code {
  const own = properties.slice(word * BITS, (word + 1) * BITS);
  const required = own.reduce(
    (bits, { known, mayBeAbsent }, at) => (!known || mayBeAbsent ? bits : bits | (1 << at)),
    0,
  );
  if (required === 0) return code``;
  return code`  if ((seen${word} & ${required}) !== ${required}) run.isDoubted = true;`;
}

/** A constructor may have set properties that were not sent or not declared. */
function writeUnsent({ properties, rules }: ClassPlan, { scope, settings }: EmitContext): Code {
  const absent = properties.flatMap(({ name, mayBeAbsent, isListed }, at) =>
    mayBeAbsent && isListed
      ? code`  if ((seen${Math.floor(at / BITS)} & ${1 << (at % BITS)}) === 0 && ${member(code`made`, name)} !== undefined) run.isDoubted = true;`
      : [],
  );
  const unknown = settings.whitelist
    ? [
        code`  if (${scope.hoist(hasUnknown, 'hasUnknown')}(made, ${scope.hoist(rules.known, 'known')})) run.isDoubted = true;`,
      ]
    : [];
  return code`${[...absent, ...unknown]}`;
}

function writePlainGuard({ isGuarded, scope }: EmitContext): Code {
  if (!isGuarded) return code``;
  return code`  const prototype = ${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value);
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null) ${scope.hoist(giveUp, 'giveUp')}();\n`;
}

function writeBudget({ isGuarded, scope }: EmitContext): Code {
  if (!isGuarded) return code``;
  return code`  run.left -= 1;\n  if (run.left < 0) ${scope.hoist(giveUp, 'giveUp')}();\n`;
}

/** Above this number, the unknown fields of an object are counted individually. */
const MOST_UNKNOWN = 900;

/** A key without a rule. */
function writeUnknown(plan: ClassPlan, place: Code, context: EmitContext): Code {
  const { scope, isGuarded, tries } = context;
  const give = scope.hoist(giveUp, 'giveUp');
  const members = scope.hoist(plan.type.prototype, 'members');
  const isMember = isGuarded
    ? code`        if (key === '__proto__' || key === 'prototype' || key in ${members}) ${give}();\n`
    : code``;
  const held = guardOf(context);
  const guard = isGuarded
    ? code`        if (!key.isWellFormed() || (unknown += 1) > ${MOST_UNKNOWN}) ${give}();\n        ${held}(value[key], undefined, run);\n`
    : code``;
  const doubt = tries && plan.settings.whitelist ? code`        run.isDoubted = true;\n` : code``;
  return code`${isMember}${guard}        ${place}(made, value, key, run);\n${doubt}`;
}

function writeProperty(property: PropertyPlan, held: Code, plan: ClassPlan, context: EmitContext): Code[] {
  const { scope, conversion } = context;
  const target = member(code`made`, property.name);
  const { exposeUnsetFields, exposeDefaultValues } = conversion.options;
  const set =
    exposeUnsetFields === false
      ? code`        if (final !== undefined) ${target} = final;`
      : code`        ${target} = final;`;
  const value = exposeDefaultValues
    ? [
        code`        let final;
        if (${held} === undefined) final = ${target};
        else {
${writeValue(property, held, plan, context)}
        }`,
      ]
    : [code`        let final;`, ...writeValue(property, held, plan, context)];
  const isTrying = context.tries && !plan.isDoubted;
  // A constructor may have defined an accessor that returns another value than the assigned one.
  const read = isTrying && !plan.fields ? [code`        final = ${target};`] : [];
  const body = [...value, set, ...(isTrying ? [...read, ...writeTests(property, context)] : [])];
  const asked = writeAsked(property, context);
  // An existing function is kept: only a property with two names can have been assigned one meanwhile.
  const isTwice = plan.properties.some((one) => one !== property && one.name === property.name);
  if (plan.fields && !isTwice) return [...asked, ...body];
  return [
    ...asked,
    code`        if (!(${target} instanceof ${scope.hoist(Function, 'Function')})) {\n${body}\n        }${isTrying ? code` else run.isDoubted = true;` : code``}`,
  ];
}

/** The type function is called for each value, since its class may change. */
function writeAsked({ name, content, reading }: PropertyPlan, { scope }: EmitContext): Code[] {
  if (reading || (!content.typeFunction && !content.isTold)) return [];
  const asked = content.typeFunction
    ? code`${scope.hoist(content.typeFunction, 'typeOf')}({ newObject: made, object: value, property: ${name} })`
    : scope.hoist(content.type, 'type');
  return [code`        const type = ${asked};`];
}

function writeValue(property: PropertyPlan, held: Code, plan: ClassPlan, context: EmitContext): Code[] {
  const { reading, transforms, name } = property;
  const { scope, isGuarded } = context;
  if (reading) {
    const text = isGuarded ? code`        ${guardOf(context)}(${held}, undefined, run);\n` : code``;
    const rest = writeConverted(property, held, plan, context);
    return [
      code`${text}        if (${held} === undefined || ${held} === null || (typeof ${held} !== 'object' && typeof ${held} !== 'function' && typeof ${held} !== 'symbol' && typeof ${held} !== 'bigint')) final = ${scope.hoist(reading.read, 'read')}(${held});
        else {
${rest}
        final = ${scope.hoist(reading.transform, 'transform')}({ value: final, key: ${name}, obj: value, type: 0, options: run.options });
        }`,
    ];
  }
  return [
    ...writeConverted(property, held, plan, context),
    ...transforms.map(
      ({ transform }) =>
        code`        final = ${scope.hoist(transform, 'transform')}({ value: final, key: ${name}, obj: value, type: 0, options: run.options });`,
    ),
  ];
}

const CONVERTED = new Map<unknown, string>([
  [String, 'String'],
  [Number, 'Number'],
  [Boolean, 'Boolean'],
]);

function writeConverted(property: PropertyPlan, held: Code, plan: ClassPlan, context: EmitContext): Code[] {
  const { content } = property;
  const { scope, conversion, isGuarded } = context;
  const convert = scope.hoist(conversion.convert, 'convert');
  const arrayType =
    content.arrayType === undefined
      ? code`undefined`
      : code`Array.isArray(${held}) ? ${scope.hoist(content.arrayType)} : undefined`;
  const isMap = content.arrayType === Map ? code`true` : code`${held} instanceof ${scope.hoist(Map, 'Map')}`;
  if (isGuarded && !isTriedPart(property, context))
    return [...writeListGuard(content.arrayType, held, scope), ...writeGuarded(content, held, context)];
  if (content.isTold) {
    const rule = plan.shape.typeOf.get(property.name)!;
    return [
      code`        const kind = ${scope.hoist(toldOf(rule), 'told')}(${held}, type);
        final = ${convert}(${held}, kind, ${arrayType}, ${isMap}, run);`,
    ];
  }
  const type = content.typeFunction ? code`type` : scopeType(content.type, scope);
  const whole = code`${convert}(${held}, ${type}, ${arrayType}, ${isMap}, run)`;
  if (content.type === undefined && !content.typeFunction)
    return [code`        final = typeof ${held} === 'object' && ${held} !== null ? ${whole} : ${held};`];
  const single = CONVERTED.get(content.type);
  if (single !== undefined && content.arrayType !== Map) {
    const isType = content.typeFunction ? code`type === ${scope.hoist(content.type)} && ` : code``;
    return [
      code`        if (${isType}typeof ${held} === ${single.toLowerCase()}) final = ${held};
        else final = ${whole};`,
    ];
  }
  if (isTriedPart(property, context)) return [writePart(property, held, type, whole, context)];
  return [code`        final = ${whole};`];
}

/** What most values are is told on the spot; the rest is for a function. */
function writeGuarded(content: PropertyPlan['content'], held: Code, context: EmitContext): Code[] {
  const { scope } = context;
  const type = content.typeFunction ? code`type` : scopeType(content.type, scope);
  const other = code`final = ${guardOf(context)}(${held}, ${type}, run);`;
  const single = CONVERTED.get(content.type)?.toLowerCase();
  if (content.typeFunction || (single === undefined && content.type !== undefined))
    return [code`        ${other}`];
  const text = code`if (typeof ${held} === 'string' && ${held}.isWellFormed()) final = ${held};`;
  const usual =
    single === undefined
      ? code`typeof ${held} === 'number' || typeof ${held} === 'boolean'`
      : code`typeof ${held} === ${single}`;
  const first = single === 'string' || single === undefined ? [code`        ${text}`] : [];
  const second =
    single === 'string'
      ? []
      : [code`        ${first.length > 0 ? code`else ` : code``}if (${usual}) final = ${held};`];
  return [...first, ...second, code`        else ${other}`];
}

function guardOf({ scope, readsBooleans }: EmitContext): Code {
  return readsBooleans ? scope.hoist(guarded, 'guarded') : scope.hoist(guardedPlain, 'guarded');
}

/** A list class or a map: JSON has neither. */
function writeListGuard(arrayType: unknown, held: Code, scope: Scope): Code[] {
  if (arrayType === undefined || arrayType === Array || arrayType === Object) return [];
  const give = scope.hoist(giveUp, 'giveUp');
  return [
    arrayType === Map ? code`        ${give}();` : code`        if (Array.isArray(${held})) ${give}();`,
  ];
}

function scopeType(type: unknown, scope: Scope): Code {
  return type === undefined ? code`undefined` : scope.hoist(type);
}

function writePart(property: PropertyPlan, held: Code, type: Code, whole: Code, context: EmitContext): Code {
  const { scope, isGuarded } = context;
  const { content } = property;
  const expected = content.type as Function;
  const part = context.planner.planOf(expected);
  const make = makerOf(part, context);
  const is = scope.hoist(isOrdinary, 'isOrdinary');
  const give = scope.hoist(giveUp, 'giveUp');
  const asked = content.typeFunction ? code`${type} === ${scope.hoist(expected)} && ` : code``;
  const takesList = content.arrayType === undefined || content.arrayType === Array;
  const list = takesList ? code`${asked}Array.isArray(${held})` : code`false`;
  const other = isGuarded
    ? code`if (${held} === undefined || ${held} === null || typeof ${held} !== 'object') final = ${guardOf(context)}(${held}, undefined, run);
        else ${give}();`
    : code`final = ${whole};`;
  const isSafe = isGuarded ? code`` : code` && ${is}(${held}, undefined)`;
  return code`        if (${asked}typeof ${held} === 'object' && ${held} !== null && !Array.isArray(${held})${isSafe}) final = ${make}(${held}, run);
        else if (${list}) final = ${listMakerOf(expected, make, context)}(${held}, run);
        else {
          ${other}
          if (final !== undefined) run.isDoubted = true;
        }`;
}

function isTriedPart(property: PropertyPlan, { tries, planner }: EmitContext): boolean {
  return tries && Boolean(property.known?.isNested) && planner.isTried(property);
}

function listMakerOf(type: Function, make: Code, context: EmitContext): Code {
  const { scope, isGuarded, conversion } = context;
  const known = context.lists.get(type);
  if (known) return known;
  const name = scope.fresh(`${make.source.slice(1)}_each`);
  context.lists.set(type, name);
  const is = scope.hoist(isOrdinary, 'isOrdinary');
  const other = isGuarded
    ? code`if (typeof element === 'object' && element !== null) ${scope.hoist(giveUp, 'giveUp')}();\n      made.push(${guardOf(context)}(element, undefined, run));`
    : code`made.push(${scope.hoist(conversion.convert, 'convert')}(element, ${scope.hoist(type)}, undefined, element instanceof ${scope.hoist(Map, 'Map')}, run));`;
  context.functions.push(code`function ${name}(list, run) {
${writeBudget(context)}  const made = [];
  const end = list.length;
  for (let at = 0; at < end; at++) {
    const element = list[at];
    if (typeof element === 'object' && element !== null && !Array.isArray(element)${isGuarded ? code`` : code` && ${is}(element, undefined)`}) made.push(${make}(element, run));
    else {
      if (element === undefined && !(at in list)) continue;
      ${other}
      run.isDoubted = true;
    }
  }
  return made;
}`);
  return name;
}

function toldOf(rule: unknown): (held: unknown, asked: unknown) => unknown {
  return (held, asked) => tellType(rule as never, held, asked);
}

/** Tests the rules of a property on its converted value. */
function writeTests(property: PropertyPlan, context: EmitContext): Code[] {
  const { known, transforms, isListed } = property;
  const { settings } = context;
  if (!isListed) return settings.whitelist ? [code`        run.isDoubted = true;`] : [];
  if (!known || !context.planner.isTried(property)) return [];
  const leaves = [...writeChecks(known.leaves, context), ...writeNested(property)];
  const all = [...writeChecks(known.defined, context), ...skipping(settings, leaves)];
  if (all.length === 0) return [];
  const asked = whenAsked(known, code`final`);
  const block = asked ? [code`        if (${asked}) {\n${all}\n        }`] : all;
  // An object from a transform may be changed by the next one.
  if (transforms.length === 0) return block;
  return [
    code`        if (typeof final === 'object' && final !== null) run.isDoubted = true;\n        else {\n${block}\n        }`,
  ];
}

/** A part is tested during its creation; undefined may be valid, and `null` is not a part. */
function writeNested({ known, transforms }: PropertyPlan): Code[] {
  if (!known?.isNested) return [];
  return transforms.length > 0
    ? [code`        if (final !== undefined) run.isDoubted = true;`]
    : [
        code`        if (typeof final !== 'object' ? final !== undefined : final === null) run.isDoubted = true;`,
      ];
}

/** The condition of a property's rules, or `undefined` if they always apply. */
export function whenAsked(
  { isOptional, isIfGiven }: { readonly isOptional: boolean; readonly isIfGiven: boolean },
  value: Code,
): Code | undefined {
  if (isOptional) return code`${value} !== undefined && ${value} !== null`;
  return isIfGiven ? code`${value} !== undefined` : undefined;
}

function skipping(settings: Settings, checks: readonly Code[]): readonly Code[] {
  const skipped = [
    ...(settings.skipUndefined || settings.skipMissing ? [code`final !== undefined`] : []),
    ...(settings.skipNull || settings.skipMissing ? [code`final !== null`] : []),
  ];
  if (skipped.length === 0 || checks.length === 0) return checks;
  return [code`        if (${joined(skipped, ' && ')}) {\n${checks}\n        }`];
}

/** A rule that throws will throw again in class-validator's order. */
function writeChecks(rules: readonly PlannedRule[], { scope }: EmitContext): Code[] {
  return rules.map(({ leaf, constraints, test, isEach }) => {
    const holds = isEach
      ? code`${scope.hoist(eachIs, 'eachIs')}(final, ${scope.hoist(test, `is${leaf.name}`)})`
      : leaf.emit(code`final`, scope, constraints, test);
    const line = code`if (!(${holds})) run.isDoubted = true;`;
    return leaf.throws || isEach
      ? code`        try { ${line} } catch { run.isDoubted = true; }`
      : code`        ${line}`;
  });
}
