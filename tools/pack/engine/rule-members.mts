import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

/** The members of a built-in rule that an entry does not read, by what it does: test values, or describe them. */
export const UNREAD_MEMBERS = {
  tests: ['arguments', 'bounds', 'isOpen', 'keywords', 'takes'],
  describes: ['arguments', 'bounds', 'calls', 'emit', 'isExpensive', 'isOpen', 'messageOf', 'test', 'throws'],
} as const;

/**
 * Takes members out of the declarations `rule({ … })` of built-in rules. A rule is one declaration in the sources, of which no
 * entry of the package reads all; without its members, what only they call is dropped too.
 */
export function withoutUnreadMembers(entry: keyof typeof UNREAD_MEMBERS): Plugin {
  const dropped: ReadonlySet<string> = new Set(UNREAD_MEMBERS[entry]);
  return {
    name: 'without-unread-members',
    transform: {
      filter: { id: /rules\/built-in\/\w+\.ts$/, code: 'rule({' },
      handler(text, id, { magicString }) {
        if (!magicString) throw new Error('without-unread-members needs experimental.nativeMagicString.');
        for (const { start, end } of membersOf(text, id, dropped)) magicString.remove(start, end);
        return { code: magicString.toString(), map: magicString.generateMap({ hires: true }).toString() };
      },
    },
  };
}

/** Where these members are, each with the comma before it: the first member is the name. */
function membersOf(text: string, id: string, names: ReadonlySet<string>): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [declaration] }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'rule') return;
      if (declaration?.type !== 'ObjectExpression') return;
      declaration.properties.forEach((one, at, all) => {
        const before = all[at - 1];
        if (one.type !== 'Property' || one.key.type !== 'Identifier' || !names.has(one.key.name)) return;
        if (!before) throw new Error(`The first member of a rule in ${id} is not its name.`);
        found.push({ start: before.end, end: one.end });
      });
    },
  }).visit(parseSync(id, text).program);
  return found;
}
