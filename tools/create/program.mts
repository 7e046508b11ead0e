import { Node, SyntaxKind } from 'ts-morph';
import { insertAmong } from './resource/insert.mts';
import { programPath } from './resource/places.mts';
import type { Draft } from './source/draft.mts';
import { addElement, edited, keyOf } from './source/syntax.mts';

/** A part of a program. */
interface Part {
  /** The list that gets it. */
  readonly list: 'plugins' | 'resources';
  readonly name: string;
  /** The module that exports it, relative to the program. */
  readonly module: string;
}

/**
 * Imports a part in an application's definition, and appends it to its list.
 *
 * @throws Error if the definition has no such list
 */
export function listInProgram(draft: Draft, app: string, { list, name, module }: Part): void {
  const path = programPath({ app });
  const text = edited(draft.read(path), [
    (file) => {
      const properties = file.getDescendantsOfKind(SyntaxKind.PropertyAssignment);
      const property = properties.find((node) => keyOf(node) === list);
      return Node.isPropertyAssignment(property) && addElement(property.getInitializer(), name, name);
    },
  ]);
  if (text === undefined) throw new Error(`${path} has no list ${list}: add ${name} by hand`);
  draft.write(path, text);
  const neighbour = /^import [^;]* from '(\.\/[^']+)';$/gm;
  insertAmong(draft, { path, neighbour }, `import { ${name} } from '${module}';`, module);
}
