import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

const modules = join(import.meta.dirname, '../../../node_modules');

/** What the package shares objects with: the language, Node, the libraries in each tested version, Nest and its adapters. */
const shared = [
  'typescript/lib/lib.{es,decorators}*.d.ts',
  '@types/node/**/*.d.ts',
  'class-{validator,transformer}*/cjs/**/*.js',
  '@nestjs/{common,core,platform-fastify,platform-express,swagger}/**/*.js',
  'fastify/{fastify.js,lib/**/*.js}',
  'express/lib/**/*.js',
  '../tools/pack/engine/*.cjs',
];

/**
 * Finds the members that only the package itself reads, and gives them short names.
 *
 * A member is left as it is if its name is a word of the code that the package shares objects with, of the package's own
 * types, or of a string in the package: strings hold generated code, and members are also read by name.
 *
 * @param files    the texts of the package
 * @param declared the texts of its types
 * @returns the new name of each
 */
export async function internalNames(
  files: readonly string[],
  declared: readonly string[],
): Promise<Record<string, string>> {
  const found = files.map(membersAndWords);
  const known = new Set([...declared, ...found.flatMap(({ words }) => words)].flatMap(wordsOf));
  // Within a package are packages of others, which get none of its objects.
  for await (const file of glob(shared, {
    cwd: modules,
    exclude: ['*/*/node_modules', '*/swagger/dist/plugin'],
  }))
    for (const word of wordsOf(await readFile(join(modules, file), 'utf8'))) known.add(word);
  const uses = Map.groupBy(
    found.flatMap(({ members }) => members),
    (name) => name,
  );
  const internal = [...uses].filter(([name]) => !known.has(name));
  const byUse = internal.toSorted(([, one], [, other]) => other.length - one.length);
  const free = shortNames().filter((name) => !known.has(name));
  return Object.fromEntries(byUse.map(([name], at) => [name, free[at] ?? name]));
}

function membersAndWords(text: string): { members: string[]; words: string[] } {
  const members: string[] = [];
  const words: string[] = [];
  const add = (key: object) => 'name' in key && typeof key.name === 'string' && members.push(key.name);
  new Visitor({
    MemberExpression: ({ property, computed }) => void (computed || add(property)),
    Property: ({ key, computed }) => void (computed || add(key)),
    MethodDefinition: ({ key, computed }) => void (computed || add(key)),
    PropertyDefinition: ({ key, computed }) => void (computed || add(key)),
    Literal: ({ value }) => void (typeof value === 'string' && words.push(value)),
    TemplateElement: ({ value }) => void words.push(value.raw),
  }).visit(parseSync('package.js', text).program);
  return { members, words };
}

/** The words of a text, but not those of JSDoc lines. */
function wordsOf(text: string): string[] {
  return text.replace(/^\s*(?:\/\*)?\*.*$/gm, '').match(/[A-Za-z_$][\w$]*/g) ?? [];
}

/** Names that no library uses: `$a`, `_a` and so on. */
function shortNames(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const two = ['$', '_'].flatMap((sign) => letters.map((letter) => sign + letter));
  return [...two, ...two.flatMap((start) => letters.map((letter) => start + letter))];
}
