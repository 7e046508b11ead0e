import type { Operation, Parameter, Schema } from './openapi.mts';
import { sampleOf } from './sample.mts';

/** A value that breaks a single rule of a schema. */
export interface Outside {
  /** The broken rule, such as `items[].quantity: shorter than 1`. */
  readonly rule: string;
  readonly value: unknown;
}

type Place = readonly (string | number)[];

/**
 * Makes values that each break a single rule, at every place in a schema.
 *
 * @param valid a value that the schema accepts; each result is a copy with a single change
 */
export function outsideOf(schema: Schema, valid: unknown): Outside[] {
  return placesOf(schema, valid, []).flatMap(([place, part, isRequired]) => {
    const broken = brokenValues(part).map(({ rule, value }) => ({
      rule: `${pathOf(place)}: ${rule}`,
      value: changed(valid, place, value),
    }));
    const isMember = isRequired && place.length > 0;
    return isMember
      ? broken.concat({ rule: `${pathOf(place)}: missing`, value: without(valid, place) })
      : broken;
  });
}

/** Returns a place's path, such as `items[].sku`. */
function pathOf(place: Place): string {
  const path = place.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');
  return path.replace(/^\./, '') || 'body';
}

/** Makes texts of a path or query parameter that break its rules. */
export function outsideOfParameter({ schema }: Parameter): Outside[] {
  const isText = hasType(schema, 'string');
  return brokenValues(schema).flatMap(({ rule, value }) => {
    const isSent = typeof value === 'string' || (typeof value === 'number' && !isText);
    return isSent && value !== '' ? [{ rule, value: String(value) }] : [];
  });
}

/** The places of a schema that the value has. */
function placesOf(
  schema: Schema,
  value: unknown,
  place: Place,
  isRequired = true,
): [Place, Schema, boolean][] {
  const here: [Place, Schema, boolean] = [place, schema, isRequired];
  if (Array.isArray(value))
    return [here, ...(value.length > 0 ? placesOf(schema.items ?? {}, value[0], [...place, 0], false) : [])];
  if (typeof value !== 'object' || value === null) return [here];
  const parts = Object.entries(schema.properties ?? {}).filter(([name]) => name in value);
  return [
    here,
    ...parts.flatMap(([name, part]) =>
      placesOf(part, Reflect.get(value, name), [...place, name], schema.required?.includes(name) ?? false),
    ),
  ];
}

function brokenValues(schema: Schema): Outside[] {
  return [
    ...wrongTypes(schema),
    ...wrongTexts(schema),
    ...wrongNumbers(schema),
    ...wrongLists(schema),
    ...wrongChoices(schema),
  ];
}

const ofEachType: readonly (readonly [string, unknown])[] = [
  ['string', 'text'],
  ['number', 17],
  ['boolean', true],
  ['array', ['text']],
  ['object', { name: 'text' }],
  ['null', null],
];

function wrongTypes(schema: Schema): Outside[] {
  if (schema.type === undefined) return [];
  return ofEachType
    .filter(([type]) => !hasType(schema, type) && !(type === 'number' && hasType(schema, 'integer')))
    .map(([type, value]) => ({ rule: `type ${type}`, value }));
}

function wrongTexts(schema: Schema): Outside[] {
  const { minLength = 0, maxLength, pattern, format, const: only, enum: choices } = schema;
  if (!hasType(schema, 'string') || only !== undefined || choices) return [];
  const valid = sampleOf(schema, 1);
  const text = typeof valid === 'string' ? valid : 'attack';
  const unmatched = ['ATTACK !', 'attack-1', '%', 'é'].find(
    (candidate) => pattern !== undefined && !new RegExp(pattern, 'u').test(candidate),
  );
  return [
    ...(minLength > 0 ? [{ rule: `shorter than ${minLength}`, value: text.slice(0, minLength - 1) }] : []),
    ...(maxLength === undefined
      ? []
      : [{ rule: `longer than ${maxLength}`, value: text.padEnd(maxLength + 1, 'a') }]),
    ...(unmatched === undefined ? [] : [{ rule: 'pattern', value: unmatched }]),
    ...(format === 'email'
      ? ['nobody', 'a@', 'a b@example.com'].map((value) => ({
          rule: 'format email',
          value,
        }))
      : []),
  ];
}

/** Makes invalid numbers. Numbers that exceed a store or a JavaScript integer are invalid even for a schema without bounds. */
function wrongNumbers(schema: Schema): Outside[] {
  const isWhole = hasType(schema, 'integer');
  if (!isWhole && !hasType(schema, 'number')) return [];
  const { minimum, maximum } = schema;
  return [
    ...(minimum === undefined ? [] : [{ rule: `less than ${minimum}`, value: minimum - 1 }]),
    ...(maximum === undefined
      ? []
      : [
          { rule: `more than ${maximum}`, value: maximum >= Number.MAX_SAFE_INTEGER ? 2 ** 60 : maximum + 1 },
        ]),
    ...(isWhole
      ? [
          { rule: 'no whole number', value: 1.5 },
          { rule: 'more than any integer type holds', value: 1e300 },
        ]
      : []),
  ];
}

function wrongLists(schema: Schema): Outside[] {
  const { minItems = 0, maxItems, items = {} } = schema;
  if (!hasType(schema, 'array')) return [];
  const list = (length: number) => Array.from({ length }, () => sampleOf(items, 1));
  return [
    ...(minItems > 0 ? [{ rule: `fewer than ${minItems}`, value: list(minItems - 1) }] : []),
    ...(maxItems === undefined || maxItems > 5000
      ? []
      : [{ rule: `more than ${maxItems}`, value: list(maxItems + 1) }]),
  ];
}

function wrongChoices({ enum: choices, const: only }: Schema): Outside[] {
  if (only !== undefined) return [{ rule: `not ${JSON.stringify(only)}`, value: 'something else' }];
  return choices ? [{ rule: 'none of the choices', value: 'something else' }] : [];
}

/** A schema without a type accepts every type. */
function hasType({ type }: Schema, name: string): boolean {
  return type === undefined ? false : typeof type === 'string' ? type === name : type.includes(name);
}

function changed(valid: unknown, place: Place, value: unknown): unknown {
  const [step, ...deeper] = place;
  if (step === undefined) return value;
  const copy: object = Array.isArray(valid) ? [...(valid as unknown[])] : { ...Object(valid) };
  Reflect.set(copy, step, changed(Reflect.get(copy, step), deeper, value));
  return copy;
}

function without(valid: unknown, place: Place): unknown {
  const name = place.at(-1);
  const parent = place.slice(0, -1);
  const rest = Object.entries(at(valid, parent)).filter(([key]) => key !== name);
  return changed(valid, parent, Object.fromEntries(rest));
}

function at(value: unknown, place: Place): object {
  return place.reduce<object>((part, step) => Object(Reflect.get(part, step)), Object(value));
}

/** Whether an operation has a JSON body of named members. */
export function takesObject({ body }: Operation): boolean {
  return body?.properties !== undefined || body?.allOf !== undefined;
}
