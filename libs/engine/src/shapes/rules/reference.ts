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

const LATEST = {
  forbidsUnknown: true,
  forbidsUnknownAlone: true,
  nestsRefusals: false,
  fillsInNumbers: true,
  namesSymbols: true,
};

/** The results of each known version for {@link questions}. */
const DIALECTS: readonly ValidatorDialect[] = [
  { versions: '0.15', ...LATEST, hasRuleConditions: true },
  { versions: '0.14.2 to 0.14.4', ...LATEST, hasRuleConditions: false },
  { versions: '0.14.1', ...LATEST, forbidsUnknownAlone: false, hasRuleConditions: false },
  {
    versions: '0.14.0',
    ...LATEST,
    forbidsUnknownAlone: false,
    fillsInNumbers: false,
    hasRuleConditions: false,
  },
  {
    versions: '0.13.2',
    forbidsUnknown: false,
    forbidsUnknownAlone: false,
    nestsRefusals: true,
    fillsInNumbers: false,
    namesSymbols: false,
    hasRuleConditions: false,
  },
];

let found: { readonly dialect: ValidatorDialect | undefined } | undefined;

/**
 * Determines how the loaded class-validator behaves, by validating temporary classes. Its file and version are not read, so a
 * bundled copy is recognised, and a modified copy is rejected.
 *
 * @returns `undefined` if it behaves differently from every tested version
 */
export function validatorDialect(): ValidatorDialect | undefined {
  found ??= { dialect: findDialect() };
  return found.dialect;
}

/** Returns the name of the loaded class-validator, for messages. */
export function installedValidator(): string {
  return validatorDialect()?.versions ?? 'unknown';
}

function findDialect(): ValidatorDialect | undefined {
  try {
    const results = JSON.stringify(probes().map(resultOf));
    return DIALECTS.find((dialect) => JSON.stringify(expected(dialect)) === results);
  } catch {
    return undefined;
  }
}

/** A test for class-validator's behaviour. */
interface Probe {
  readonly declare: readonly ((target: object, name: string) => void)[];
  readonly value: unknown;
  /** The call options; `null` is a call without options. */
  readonly options?: (library.ValidatorOptions & { readonly [other: string]: unknown }) | null;
}

function probes(): Probe[] {
  const { Equals, IsDefined, IsInt, IsOptional, Max, Min, ValidateNested } = library;
  const message = '$value|$property|$target|$constraint1';
  const when = { validateIf: () => false } as library.ValidationOptions;
  return [
    { declare: [], value: 1 },
    { declare: [ValidateNested()], value: 7 },
    { declare: [ValidateNested(), IsInt()], value: 'a', options: { stopAtFirstError: true } },
    { declare: [Min(5, { message })], value: 3 },
    { declare: [Min(5, { message })], value: '$property' },
    { declare: [Equals(Symbol('s'), { message })], value: 'a' },
    { declare: [IsInt(when)], value: 'a' },
    { declare: [IsInt({ groups: ['a'] }), Min(5)], value: 'a', options: { groups: ['a'] } },
    { declare: [IsInt({ groups: ['a'] }), Min(5)], value: 'a', options: { strictGroups: true } },
    { declare: [IsInt({ each: true, context: { n: 1 } })], value: [1, 'a'] },
    { declare: [IsOptional(), IsInt()], value: null },
    { declare: [IsDefined(), IsInt(), Max(1)], value: null, options: { skipMissingProperties: true } },
    { declare: [Min(5), IsInt()], value: 'a', options: { dismissDefaultMessages: true } },
    { declare: [Min(5), IsInt()], value: 'a', options: { stopAtFirstError: true } },
    {
      declare: [],
      value: 1,
      options: { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false },
    },
    { declare: [], value: 1, options: { whitelist: true, forbidUnknownValues: false } },
    { declare: [], value: 1, options: null },
  ];
}

/** Returns the value's errors, and the object after validation. */
function resultOf({ declare, value, options = {} }: Probe): unknown {
  const Probe = named('Probe', class {});
  const given = options === null ? undefined : { ...options, validationError: { target: false } };
  const object = Object.assign(new Probe(), { a: value });
  try {
    for (const decorate of declare) decorate(Probe.prototype, 'a');
    const errors = library.validateSync(object, given);
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
  const child = (value: unknown) => [
    [{ value, property: 'a', children: [{ value, property: 'a', constraints: nested }] }],
    ['a'],
  ];
  return [
    forbidsUnknown ? [[{ children: [], constraints: unknown }], ['a']] : none,
    nestsRefusals ? child(7) : a(7, nested),
    nestsRefusals
      ? [
          [
            {
              value: 'a',
              property: 'a',
              children: [{ value: 'a', property: 'a', constraints: nested }],
              constraints: notWhole,
            },
          ],
          ['a'],
        ]
      : a('a', notWhole),
    a(3, text(fillsInNumbers ? '3' : '$value')),
    a('$property', text('a')),
    namesSymbols ? a('a', { equals: 'a|a|Probe|s' }) : 'TypeError',
    hasRuleConditions ? none : a('a', notWhole),
    a('a', notWhole),
    a('a', tooLow),
    [
      [
        {
          value: [1, 'a'],
          property: 'a',
          children: [],
          constraints: { isInt: 'each value in a must be an integer number' },
          contexts: { isInt: { n: 1 } },
        },
      ],
      ['a'],
    ],
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
function a(value: unknown, constraints: object): unknown {
  return [[{ value, property: 'a', children: [], constraints }], ['a']];
}
