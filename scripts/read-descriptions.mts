import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CodePlace, CodePlaces, Describe } from '@app/contract';
import ts from 'typescript';
import { root } from './workspace.mts';

/** The texts of a source by `Class`, `Class.member` and `Class.member@example`. */
type Texts = ReadonlyMap<string, string>;

/**
 * Reads the TSDoc of classes and their members from their sources. A member may inherit its text. `{@link Name}` becomes the
 * name. An `@example` text is stored under `member@example`, and blocks such as `@param` are left out.
 *
 * @param places finds the source for a class
 */
export function readDescriptions(places: CodePlaces): Describe {
  const files = new Map<Function, string | undefined>();
  const sources = new Map<string, Texts>();
  const textsOf = (type: Function): Texts | undefined => {
    if (!files.has(type)) files.set(type, sourceOf(places.find(type)));
    const file = files.get(type);
    if (file === undefined) return undefined;
    const texts = sources.get(file) ?? readTexts(file);
    sources.set(file, texts);
    return texts;
  };
  return ({ type, member }) => {
    if (member === undefined) return textsOf(type)?.get(type.name);
    for (
      let ancestor: unknown = type;
      typeof ancestor === 'function' && ancestor.name !== '';
      ancestor = Object.getPrototypeOf(ancestor)
    ) {
      const text = textsOf(ancestor)?.get(`${ancestor.name}.${member}`);
      if (text !== undefined) return text;
    }
    return undefined;
  };
}

/** Finds the source file for a place. A bundle in the libs package has the path of each source above its code. */
function sourceOf(place: CodePlace | undefined): string | undefined {
  const [, folder] = /^(.*)\/libs\/.*\.js$/.exec(place?.file ?? '') ?? [];
  if (place === undefined || folder === undefined) return place?.file;
  const lines = readFileSync(resolve(root, place.file), 'utf8').split('\n', place.line);
  const path = lines.findLast((line) => line.startsWith('// libs/'));
  return path && join(folder, path.slice('// '.length));
}

function readTexts(file: string): Texts {
  return file.endsWith('.ts') ? textsIn(readFileSync(resolve(root, file), 'utf8')) : packagedTexts(file);
}

/** Reads the texts from a file of the libs package, because its modules have no comments. */
function packagedTexts(file: string): Texts {
  const [, folder = '', path = ''] = /^(.*)\/(libs\/.*)\.js$/.exec(file) ?? [];
  const texts = resolve(root, folder, 'descriptions.json');
  if (path === '' || !existsSync(texts)) return new Map();
  const byPath: Record<string, Record<string, string>> = JSON.parse(readFileSync(texts, 'utf8'));
  return new Map(Object.entries(byPath[path] ?? {}));
}

/** Reads the TSDoc of a source. */
export function textsIn(text: string): Texts {
  const texts = new Map<string, string>();
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isClassDeclaration(node) && node.name) addClass(texts, node, node.name.text);
    node.forEachChild(visit);
  };
  visit(source);
  return texts;
}

function addClass(texts: Map<string, string>, node: ts.ClassDeclaration, name: string): void {
  add(texts, name, node);
  for (const member of node.members) {
    if (member.name && ts.isIdentifier(member.name)) add(texts, `${name}.${member.name.text}`, member);
  }
}

function add(texts: Map<string, string>, key: string, node: ts.Node): void {
  const last = ts.getJSDocCommentsAndTags(node).findLast((comment) => ts.isJSDoc(comment));
  const text = ts.getTextOfJSDocComment(last?.comment)?.trim();
  if (text)
    texts.set(key, text.replaceAll(/\{@link\s+([^}|\s]+)[^}]*\}/g, '$1').replaceAll(/\s*\n\s*/g, ' '));
  const example = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'example');
  const value = ts.getTextOfJSDocComment(example?.comment)?.trim();
  if (value) texts.set(`${key}@example`, value);
}
