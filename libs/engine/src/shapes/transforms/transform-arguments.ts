/** The arguments that class-transformer passes to a transform. */
type Argument = 'value' | 'key' | 'obj' | 'type' | 'options';

const ALL: ReadonlySet<string> = new Set<Argument>(['value', 'key', 'obj', 'type', 'options']);

const ARROW =
  /^(?:async\s+)?(?:\(\s*(?:\{([^{}()=.[\]]*)\}|([A-Za-z_$][\w$]*))?\s*,?\s*\)|([A-Za-z_$][\w$]*))\s*=>/;
/** Matches `value`, or `value: text`. */
const NAMES = /^\s*([a-z]+)\s*(?::\s*[\w$]+\s*)?$/;

/** The ways in which a transform may be called without a visible difference. */
export interface TransformUse {
  /** Whether the transform may be called without its `this`, because it is an arrow function. */
  readonly isArrow: boolean;
  /** Whether the transform may be called with its value only, and without its `this`. */
  readonly isOfValue: boolean;
  /** Whether the transform needs the call options. */
  readonly seesOptions: boolean;
}

/** Determines the use from the transform's source text. Arrow functions have no `this`, so that a call need not be a method call. */
export function useOfTransform(transform: Function): TransformUse {
  const source = Function.prototype.toString.call(transform);
  const match = ARROW.exec(source);
  const seen = (match && argumentsRead(source, match)) ?? ALL;
  return {
    isArrow: match !== null,
    isOfValue: match !== null && [...seen].every((name) => name === 'value'),
    seesOptions: seen.has('options'),
  };
}

/**
 * Returns the arguments that a transform reads, judged by its source text. The transform must destructure its parameter or read
 * single properties from it.
 */
function argumentsRead(
  source: string,
  [head, pattern, ...parameters]: RegExpExecArray,
): ReadonlySet<string> | undefined {
  if (source.includes('\\u') || /\beval\b/.test(source)) return undefined;
  if (pattern !== undefined) return namesIn(pattern);
  return propertiesRead(parameters.find((name) => name !== undefined) ?? '', source.slice(head.length));
}

function namesIn(pattern: string): ReadonlySet<string> | undefined {
  const parts = pattern.split(',').filter((part) => part.trim() !== '');
  const names = parts.map((part) => NAMES.exec(part)?.[1]);
  return names.every((name) => name !== undefined) ? new Set(names) : undefined;
}

function propertiesRead(parameter: string, body: string): ReadonlySet<string> | undefined {
  const escaped = parameter.replaceAll('$', String.raw`\$`);
  const uses = new RegExp(String.raw`(?<![\w$])${escaped}(?![\w$])(\s*\??\.\s*([a-z]+)(?![\w$]))?`, 'g');
  const names = [...body.matchAll(uses)].map((use) => use[2] as string | undefined);
  const isWritten = new RegExp(
    String.raw`(?<![\w$])${escaped}\s*\??\.\s*[a-z]+\s*(?:[-+*/%&|^?<>]*=(?!=)|\+\+|--)`,
  ).test(body);
  const read = names.filter((name): name is string => name !== undefined && ALL.has(name));
  return read.length === names.length && !isWritten ? new Set(read) : undefined;
}
