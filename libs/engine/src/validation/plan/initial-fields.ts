import { prototypeOf } from '../../shapes/values';
const NAME = String.raw`[A-Za-z_$][\w$]*`;
const GAP = String.raw`(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?`;
const TEXT = String.raw`'[^'\\\n]*'|"[^"\\\n]*"`;
const LITERAL = String.raw`(?:${NUMBER}|${TEXT}|true|false|null|undefined|void 0|\[\]|\{\})`;

/** Matches a constructor that only initializes fields, in the form that compilers emit. */
const LAYING = new RegExp(
  String.raw`\bconstructor\s*\((?:\.\.\.(${NAME}))?\)\s*\{${GAP}(?:super\((?:\.\.\.(?:\1|arguments))?\);${GAP})?((?:this\.${NAME}\s*=\s*${LITERAL};${GAP})*)\}`,
);

/** Matches a constructor, under any name, or a mention of it. An object member (`this.constructor`) does not match. */
const CONSTRUCTOR = /[^.]\bconstructor/;

/**
 * Returns an instance's initial properties, for a class with a `new` that only initializes them. The fields are undefined, or a
 * number, string, boolean, null, or an empty list or object.
 *
 * The function reads the class source, which must have a form that compilers emit.
 *
 * @returns `undefined` for any other class
 */
export function initialFields(type: Function): Readonly<Record<string, unknown>> | undefined {
  const literal = new Set<string>();
  let sources = '';
  for (let current: unknown = type; current !== Function.prototype; current = prototypeOf(current)) {
    const source = Function.prototype.toString.call(current);
    const names = namesIn(source);
    if (!names || names.some((name) => name in (type.prototype as object))) return undefined;
    for (const name of names) literal.add(name);
    const members = Object.getOwnPropertyDescriptors((current as Function).prototype as object);
    // It may set any other property.
    if (Object.values(members).some(({ set }) => set)) return undefined;
    sources += source;
  }
  if ((type.prototype as object).constructor !== type) return undefined;
  try {
    const instance = new (type as new () => Record<string, unknown>)();
    // A call may give another value at the next `new`, also if it gave `undefined` now.
    const isLiteral = (name: string) =>
      sources
        .match(new RegExp(String.raw`(?<![\w$])${name}['"]?${GAP}(?:;|=(?![=>])(?:\s*${LITERAL};)?)`, 'g'))
        ?.every((use) => use.endsWith(';'));
    const isPlain = (name: string | symbol) =>
      typeof name === 'string' && (literal.has(name) || isLiteral(name));
    return Reflect.ownKeys(instance).every(isPlain) ? instance : undefined;
  } catch {
    return undefined;
  }
}

/** @returns the names that a constructor sets to literals, or `undefined` if it may do anything else */
function namesIn(source: string): string[] | undefined {
  if (!source.startsWith('class')) return undefined;
  const count = source.split(CONSTRUCTOR).length - 1;
  if (count === 0) return [];
  const laid = count === 1 ? LAYING.exec(source)?.[2] : undefined;
  return laid === undefined ? undefined : [...laid.matchAll(SET)].map(([, name]) => name!);
}

const SET = new RegExp(String.raw`(${NAME})\s*=\s*${LITERAL};`, 'g');
