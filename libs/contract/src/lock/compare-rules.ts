import { ruleOfKey } from '@app/engine';

/** A difference from the lock. */
export interface Change {
  /** Whether more is accepted or sent, or might be. */
  readonly isWider: boolean;
  /** The text for a reviewer, after the route's name. */
  readonly line: string;
}

/** Matches rules that accept more values. All remaining rules accept fewer values. */
const loosening = /^(?:optional|conditional|transformed)/;

/** The upload limits. A greater limit accepts more. */
const limits = new Set(['maxBytes', 'maxFiles']);

/**
 * Describes how the rules of a member have changed. A change counts as wider unless it is known to accept fewer values.
 *
 * @param member the path, such as `body.email`
 */
export function compareRules(member: string, before: readonly string[], after: readonly string[]): Change[] {
  const [old, now] = [byName(before), byName(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): Change[] => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) return [];
    if (is === undefined) return [gone(member, `${name}${was}`)];
    if (was === undefined) return [added(member, `${name}${is}`)];
    const isWider = !permitsLess(name, was, is);
    return [
      { isWider, line: `${isWider ? 'loosens' : 'tightens'} ${member} from ${name}${was} to ${name}${is}` },
    ];
  });
}

/** Returns the rules by the name before the parenthesis. The arguments of a repeated rule are joined. */
function byName(rules: readonly string[]): Map<string, string> {
  const argumentsByRule = new Map<string, string>();
  for (const rule of rules) {
    const at = rule.includes('(') ? rule.indexOf('(') : rule.length;
    argumentsByRule.set(rule.slice(0, at), (argumentsByRule.get(rule.slice(0, at)) ?? '') + rule.slice(at));
  }
  return argumentsByRule;
}

function gone(member: string, rule: string): Change {
  if (/^(?:optional|conditional)/.test(rule)) {
    return { isWider: false, line: `no longer permits ${member} to be ${rule}` };
  }
  return { isWider: true, line: `no longer requires ${rule} of ${member}` };
}

function added(member: string, rule: string): Change {
  return loosening.test(rule)
    ? { isWider: true, line: `permits ${member} to be ${rule}` }
    : { isWider: false, line: `requires ${rule} of ${member}` };
}

function permitsLess(name: string, was: string, is: string): boolean {
  const [old, now] = [argumentsOf(was), argumentsOf(is)];
  if (old === undefined || now === undefined) return false;
  const plain = name.replace(/^each /, '');
  if (plain === 'isIn' || plain === 'from') return isSubset(now[0], old[0]);
  const bounds = limits.has(plain) ? ['upper'] : ruleOfKey(plain)?.bounds;
  if (bounds === undefined || now.length < old.length) return false;
  return now.every((bound, place) => {
    const before = old[place];
    if (before === undefined) return true;
    if (typeof bound !== 'number' || typeof before !== 'number' || bounds[place] === undefined) return false;
    return bounds[place] === 'lower' ? bound >= before : bound <= before;
  });
}

function isSubset(part: unknown, whole: unknown): boolean {
  return Array.isArray(part) && Array.isArray(whole) && part.every((value) => whole.includes(value));
}

/** Parses `(8, 256)` to `[8, 256]`; `undefined` if it is not JSON, such as a pattern. */
function argumentsOf(rest: string): unknown[] | undefined {
  try {
    const read: unknown = JSON.parse(`[${rest.slice(1, -1)}]`);
    return Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
