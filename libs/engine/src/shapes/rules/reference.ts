import { unlessThrown } from '../values';
import * as library from 'class-validator';
import { named } from '../named';
import { forget } from './scratch';

/** The differences between the known versions of class-validator. */
export interface ValidatorDialect {
  /** A range of versions, for messages. */
  readonly versions: string;
  /** Whether a class without rules is rejected by default. */
  readonly forbidsUnknown: boolean;
  /** Whether a class without rules is rejected if a call omits the options. */
  readonly forbidsUnknownAlone: boolean;
  /** Whether a nested value that is not an object gets its own error among the property's children. */
  readonly nestsRefusals: boolean;
  /** Whether `$value` is replaced by numbers and booleans too, not by strings only. */
  readonly fillsInNumbers: boolean;
  /** Whether a symbol among the constraints is printed in a message; earlier versions throw. */
  readonly namesSymbols: boolean;
  /** Whether a rule may have its own condition (`validateIf` among its options). */
  readonly hasRuleConditions: boolean;
}

const V15: ValidatorDialect = {
  versions: '0.15',
  forbidsUnknown: true,
  forbidsUnknownAlone: true,
  nestsRefusals: false,
  fillsInNumbers: true,
  namesSymbols: true,
  hasRuleConditions: true,
};
const V14_2: ValidatorDialect = { ...V15, versions: '0.14.2 to 0.14.4', hasRuleConditions: false };
const V14_1: ValidatorDialect = { ...V14_2, versions: '0.14.1', forbidsUnknownAlone: false };
const V14_0: ValidatorDialect = { ...V14_1, versions: '0.14.0', fillsInNumbers: false };
const V13: ValidatorDialect = {
  ...V14_0,
  versions: '0.13.2',
  forbidsUnknown: false,
  nestsRefusals: true,
  namesSymbols: false,
};

/** The results of each known version for {@link questions}. */
const DIALECTS = [V15, V14_2, V14_1, V14_0, V13];

let cachedDialect: { readonly dialect: ValidatorDialect | undefined } | undefined;

/**
 * Determines how the loaded class-validator behaves, by validating temporary classes. Its file and version are not read, so a
 * bundled copy is recognised, and a modified copy is rejected.
 *
 * @returns `undefined` if it behaves differently from every tested version
 */
export function validatorDialect(): ValidatorDialect | undefined {
  cachedDialect ??= { dialect: findDialect() };
  return cachedDialect.dialect;
}

/** Returns the name of the loaded class-validator, for messages. */
export function installedValidator(): string {
  return validatorDialect()?.versions ?? 'unknown';
}

function findDialect(): ValidatorDialect | undefined {
  return unlessThrown(() => {
    const results = JSON.stringify(probes().map(resultOf));
    return DIALECTS.find((dialect) => JSON.stringify(expected(dialect)) === results);
  });
}

/** A test for class-validator's behaviour: a value, its decorators, and the call options; `null` is a call without options. */
type Probe = readonly [
  value: unknown,
  declare: readonly ((target: object, name: string) => void)[],
  options?: (library.ValidatorOptions & { readonly [name: string]: unknown }) | null,
];

function probes(): Probe[] {
  const { Equals, IsDefined, IsInt, IsOptional, Max, Min, ValidateNested } = library;
  const message = '$value|$property|$target|$constraint1';
  const when = { validateIf: () => false } as library.ValidationOptions;
  const strict = { whitelist: true, forbidUnknownValues: false };
  return [
    [1, []],
    [7, [ValidateNested()]],
    ['a', [ValidateNested(), IsInt()], { stopAtFirstError: true }],
    [3, [Min(5, { message })]],
    ['$property', [Min(5, { message })]],
    ['a', [Equals(Symbol('s'), { message })]],
    ['a', [IsInt(when)]],
    ['a', [IsInt({ groups: ['a'] }), Min(5)], { groups: ['a'] }],
    ['a', [IsInt({ groups: ['a'] }), Min(5)], { strictGroups: true }],
    [[1, 'a'], [IsInt({ each: true, context: { n: 1 } })]],
    [null, [IsOptional(), IsInt()]],
    [null, [IsDefined(), IsInt(), Max(1)], { skipMissingProperties: true }],
    ['a', [Min(5), IsInt()], { dismissDefaultMessages: true }],
    ['a', [Min(5), IsInt()], { stopAtFirstError: true }],
    [1, [], { ...strict, forbidNonWhitelisted: true }],
    [1, [], strict],
    [1, [], null],
  ];
}

/** Returns the value's errors, and the object after validation. */
function resultOf([value, declare, options = {}]: Probe): unknown {
  const Probe = named('Probe', class {});
  const validatorOptions = options === null ? undefined : { ...options, validationError: { target: false } };
  const object = Object.assign(new Probe(), { a: value });
  try {
    for (const decorate of declare) decorate(Probe.prototype, 'a');
    const errors = library.validateSync(object, validatorOptions);
    return [errors, Object.keys(object)];
  } catch (error) {
    return error instanceof Error ? error.constructor.name : 'thrown';
  } finally {
    forget(Probe);
  }
}

function expected(dialect: ValidatorDialect): unknown[] {
  const {
    forbidsUnknown,
    forbidsUnknownAlone,
    nestsRefusals,
    fillsInNumbers,
    namesSymbols,
    hasRuleConditions,
  } = dialect;
  const none = [[], ['a']];
  const nested = { nestedValidation: 'nested property a must be either object or array' };
  const notWhole = { isInt: 'a must be an integer number' };
  const tooLow = { min: 'a must not be less than 5' };
  const unknown = { unknownValue: 'an unknown value was passed to the validate function' };
  const child = (value: unknown, own?: object) => [
    [{ value, property: 'a', children: [{ value, property: 'a', constraints: nested }], constraints: own }],
    ['a'],
  ];
  return [
    forbidsUnknown ? [[{ children: [], constraints: unknown }], ['a']] : none,
    nestsRefusals ? child(7) : a(7, nested),
    nestsRefusals ? child('a', notWhole) : a('a', notWhole),
    a(3, text(fillsInNumbers ? '3' : '$value')),
    a('$property', text('a')),
    namesSymbols ? a('a', { equals: 'a|a|Probe|s' }) : 'TypeError',
    hasRuleConditions ? none : a('a', notWhole),
    a('a', notWhole),
    a('a', tooLow),
    a([1, 'a'], { isInt: 'each value in a must be an integer number' }, { isInt: { n: 1 } }),
    none,
    a(null, { isDefined: 'a should not be null or undefined' }),
    a('a', { min: '', isInt: '' }),
    a('a', tooLow),
    [
      [{ value: 1, property: 'a', constraints: { whitelistValidation: 'property a should not exist' } }],
      ['a'],
    ],
    [[], []],
    forbidsUnknownAlone ? [[{ target: { a: 1 }, children: [], constraints: unknown }], ['a']] : none,
  ];
}

/** Returns the message with all placeholders filled in for a value. */
function text(value: string): object {
  return { min: `${value}|a|Probe|5` };
}

/** Returns the expected outcome: a single property error, and the unchanged object. */
function a(value: unknown, constraints: object, contexts?: object): unknown {
  return [[{ value, property: 'a', children: [], constraints, contexts }], ['a']];
}
