import * as library from 'class-validator';
import { forget } from './scratch';

/** In what the versions of class-validator differ that are known. */
export interface ValidatorDialect {
  /** A range of versions, for messages. */
  readonly versions: string;
  /** Whether a class without rules is refused unless an option says otherwise. */
  readonly forbidsUnknown: boolean;
  /** Whether what is nested but no object gets an error of its own among the children of its property. */
  readonly nestsRefusals: boolean;
  /** Whether `$value` stands for numbers and booleans too, not for texts alone. */
  readonly fillsInNumbers: boolean;
  /** Whether a symbol among the constraints is named in a message; before, to fill it in throws. */
  readonly namesSymbols: boolean;
  /** Whether a rule may have a condition of its own (`validateIf` among its options). */
  readonly hasRuleConditions: boolean;
}

const LATEST = { forbidsUnknown: true, nestsRefusals: false, fillsInNumbers: true, namesSymbols: true };

/** What each known version answers to {@link questions}. */
const DIALECTS: readonly ValidatorDialect[] = [
  { versions: '0.15', ...LATEST, hasRuleConditions: true },
  { versions: '0.14.1 to 0.14.4', ...LATEST, hasRuleConditions: false },
  { versions: '0.14.0', ...LATEST, fillsInNumbers: false, hasRuleConditions: false },
  {
    versions: '0.13.2',
    forbidsUnknown: false,
    nestsRefusals: true,
    fillsInNumbers: false,
    namesSymbols: false,
    hasRuleConditions: false,
  },
];

let found: { readonly dialect: ValidatorDialect | undefined } | undefined;

/**
 * Finds out how the loaded class-validator behaves, by asking it: classes made for the purpose are validated, and
 * forgotten. Neither its file nor its version is looked at, so that a bundled copy is known too, and a changed one not.
 *
 * @returns `undefined` if it answers as none that was tested
 */
export function validatorDialect(): ValidatorDialect | undefined {
  found ??= { dialect: findDialect() };
  return found.dialect;
}

/** Which class-validator is loaded, in words. */
export function installedValidator(): string {
  return validatorDialect()?.versions ?? 'unknown';
}

function findDialect(): ValidatorDialect | undefined {
  try {
    const answers = JSON.stringify(questions().map(answerOf));
    return DIALECTS.find((dialect) => JSON.stringify(expected(dialect)) === answers);
  } catch {
    return undefined;
  }
}

/** One thing that class-validator is asked. */
interface Question {
  readonly declare: readonly ((target: object, name: string) => void)[];
  readonly value: unknown;
  readonly options?: library.ValidatorOptions & { readonly [other: string]: unknown };
}

function questions(): Question[] {
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
  ];
}

/** What is wrong with the value, and what became of the object. */
function answerOf({ declare, value, options = {} }: Question): unknown {
  class Tried {}
  const given = { ...options, validationError: { target: false } };
  const object = Object.assign(new Tried(), { a: value });
  try {
    for (const decorate of declare) decorate(Tried.prototype, 'a');
    const errors = library.validateSync(object, given);
    return [errors, Object.keys(object)];
  } catch (error) {
    return error instanceof Error ? error.constructor.name : 'thrown';
  } finally {
    forget(Tried);
  }
}

function expected(dialect: ValidatorDialect): unknown[] {
  const { forbidsUnknown, nestsRefusals, fillsInNumbers, namesSymbols, hasRuleConditions } = dialect;
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
    namesSymbols ? a('a', { equals: 'a|a|Tried|s' }) : 'TypeError',
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
  ];
}

/** The message that names all, as it is filled in for a value. */
function text(value: string): object {
  return { min: `${value}|a|Tried|5` };
}

/** One error of the property, and the object unchanged. */
function a(value: unknown, constraints: object): unknown {
  return [[{ value, property: 'a', children: [], constraints }], ['a']];
}
