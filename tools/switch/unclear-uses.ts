import type { ModuleStatement } from './modules';
import { moduleOf, type Replaced, replacedNames } from './replaced-names';
import type { Token } from './tokens';

/** A use of one of the modules that is not changed. */
export interface UnclearUse {
  /** The offset in the source. */
  readonly at: number;
  readonly why: string;
}

/** Finds the uses of what is compiled that are not changed, so that somebody looks at them. */
export function placesOf(tokens: readonly Token[], statements: readonly ModuleStatement[]): UnclearUse[] {
  const understood = new Set(statements.map(({ module }) => module));
  const words = new Set(tokens.flatMap(({ kind, text }) => (kind === 'word' ? text : [])));
  return [
    ...statements.filter(({ isType }) => !isType).flatMap((one) => ofStatement(tokens, one)),
    ...tokens.flatMap((token, at) =>
      token.kind === 'string' && !understood.has(token) ? ofString(tokens, at, words) : [],
    ),
  ];
}

/**
 * Whether a file may import a module as a whole from the package instead: it exports all names of the module, and the file
 * uses members of the namespace only, and a compiled one among them.
 */
export function canSwitchNamespace(tokens: readonly Token[], statement: ModuleStatement): boolean {
  const { namespace, byDefault, module, isAll, isType } = statement;
  const replaced = replacedNames[module.text];
  if (!namespace || byDefault || isAll || isType || !replaced?.hasAll) return false;
  const { members, whole } = usesOf(tokens, namespace);
  return whole.length === 0 && members.some(({ text }) => replaced.names.has(text));
}

function ofStatement(tokens: readonly Token[], statement: ModuleStatement): UnclearUse[] {
  const { module, specifiers = [], isAll, start } = statement;
  const root = moduleOf(module.text);
  const replaced = root === undefined ? undefined : replacedNames[root];
  if (!replaced) return [];
  const { target, names } = replaced;
  if (isAll) return [{ at: start, why: `it re-exports ${listed(names)} too, which ${target} has compiled` }];
  const inner = specifiers.filter(({ name, isType }) => !isType && names.has(name));
  if (module.text !== root && inner.length > 0)
    return [
      {
        at: start,
        why: `it is an inner file of ${root}: import ${listed(inner.map(({ name }) => name))} from ${target}`,
      },
    ];
  if (canSwitchNamespace(tokens, statement)) return [];
  return [statement.byDefault, statement.namespace].flatMap((name) =>
    name ? ofNamespace(tokens, name, replaced) : [],
  );
}

function ofNamespace(tokens: readonly Token[], name: Token, { target, names }: Replaced): UnclearUse[] {
  const { members, whole } = usesOf(tokens, name);
  return [
    ...members
      .filter(({ text }) => names.has(text))
      .map(({ text, start }) => ({ at: start, why: `${name.text}.${text}: import ${text} from ${target}` })),
    ...whole.map(({ start }) => ({
      at: start,
      why: `${name.text} is passed on as a whole, with ${listed(names)}, which ${target} has compiled`,
    })),
  ];
}

/** The members of a namespace that a file uses, and the places where it uses the namespace itself. */
function usesOf(tokens: readonly Token[], name: Token): { members: Token[]; whole: Token[] } {
  const members: Token[] = [];
  const whole: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === name || token.kind !== 'word' || token.text !== name.text) continue;
    const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text];
    if (before === '.' || (next === ':' && ['{', ','].includes(before))) continue;
    const member = next === '.' ? tokens[at + 2] : undefined;
    if (member?.kind === 'word') members.push(member);
    else whole.push(token);
  }
  return { members, whole };
}

/** A module that is named elsewhere than in an import that is understood. */
function ofString(tokens: readonly Token[], at: number, words: ReadonlySet<string>): UnclearUse[] {
  const { text, start } = tokens[at];
  const root = moduleOf(text);
  const caller = tokens[at - 1]?.text === '(' ? tokens[at - 2] : undefined;
  if (root === undefined || tokens[at - 1]?.text === 'import') return [];
  const { target, names } = replacedNames[root];
  if (caller && /mock$/i.test(caller.text))
    return [
      { at: start, why: `${caller.text}('${text}'): a test that replaces it does not replace ${target}` },
    ];
  const used = [...names].filter((name) => words.has(name));
  if (used.length === 0) return [];
  return [
    { at: start, why: `'${text}' is used in another way than by import: ${target} has ${listed(used)}` },
  ];
}

/** `a, b and 3 more`. */
function listed(names: Iterable<string>): string {
  const all = [...names];
  return all.length <= 3 ? all.join(', ') : `${all.slice(0, 2).join(', ')} and ${all.length - 2} more`;
}
