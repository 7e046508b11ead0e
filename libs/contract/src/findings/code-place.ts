import { readFileSync } from 'node:fs';
import type { Debugger, Runtime, Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The source position of a declaration. */
export interface CodePlace {
  /** The file path: relative inside the working directory, otherwise absolute. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
}

const searchedClass = Symbol.for('sluice.code-place');

/**
 * Finds the source positions of classes and members with V8's inspector and source maps. It takes some milliseconds, so it runs
 * only when a start fails.
 */
export class CodePlaces {
  private readonly session: Session;
  private readonly scripts = new Map<string, Debugger.ScriptParsedEventDataType>();

  /** @throws Error if Node was built without its inspector */
  constructor() {
    // Loaded only when a start fails.
    const { Session: Inspection } = process.getBuiltinModule('node:inspector');
    this.session = new Inspection();
    this.session.connect();
    this.session.on('Debugger.scriptParsed', ({ params }) => this.scripts.set(params.scriptId, params));
    this.session.post('Debugger.enable');
  }

  close(): void {
    this.session.disconnect();
  }

  /**
   * @param member a method or a property in the class or a superclass
   * @returns the member's position, or else of the class; `undefined` if both are unknown
   */
  find(type: Function, member?: string): CodePlace | undefined {
    const place = this.placeOfClass(type);
    return member === undefined ? place : (this.placeOfMember(type, member) ?? place);
  }

  private placeOfMember(type: Function, member: string): CodePlace | undefined {
    const place = this.placeOfClass(type);
    const memberPlace = place && memberBelow(place, member);
    const parent: unknown = Object.getPrototypeOf(type);
    if (memberPlace || typeof parent !== 'function' || parent === Function.prototype) return memberPlace;
    return this.placeOfMember(parent, member);
  }

  /** A compiler may have moved the class without a source map, so the position is corrected in the source text. */
  private placeOfClass(type: Function): CodePlace | undefined {
    const compiled = this.compiledPlace(type);
    const place = compiled && originalPlace(compiled);
    return place && (classNear(place, type.name) ?? place);
  }

  private compiledPlace(type: Function): CompiledPlace | undefined {
    Reflect.set(globalThis, searchedClass, type);
    try {
      const location = this.locationOf(`globalThis[Symbol.for('${searchedClass.description}')]`);
      const script = location && this.scripts.get(location.scriptId);
      return script && { script, line: location.lineNumber, column: location.columnNumber ?? 0 };
    } finally {
      Reflect.deleteProperty(globalThis, searchedClass);
    }
  }

  /** The session is connected to this thread: callbacks run before `post` returns. */
  private locationOf(expression: string): Debugger.Location | undefined {
    let location: Debugger.Location | undefined;
    this.session.post('Runtime.evaluate', { expression }, (_, evaluated) => {
      const { objectId } = evaluated.result;
      if (objectId === undefined) return;
      this.session.post('Runtime.getProperties', { objectId, ownProperties: true }, (__, result) => {
        location = result.internalProperties?.find(isLocation)?.value?.value;
      });
    });
    return location;
  }
}

function isLocation({ name }: Runtime.InternalPropertyDescriptor): boolean {
  return name === '[[FunctionLocation]]';
}

/** A position in compiled code, from 0. */
interface CompiledPlace {
  readonly script: Debugger.ScriptParsedEventDataType;
  readonly line: number;
  readonly column: number;
}

function originalPlace({ script, line, column }: CompiledPlace): CodePlace | undefined {
  const map = script.sourceMapURL ? readMap(script.sourceMapURL, script.url) : undefined;
  const entry = map?.findEntry(line, column);
  if (entry && 'originalSource' in entry) {
    const source = new URL(entry.originalSource, asUrl(script.url)).href;
    return { file: shown(source), line: entry.originalLine + 1 };
  }
  return script.url ? { file: shown(asUrl(script.url)), line: line + 1 } : undefined;
}

/** @see ECMA-426; positions need no contents. */
const mapSchema = z.object({
  version: z.number(),
  file: z.string().default(''),
  sources: z.array(z.string()),
  names: z.array(z.string()).default([]),
  mappings: z.string(),
  sourceRoot: z.string().default(''),
});

/** Reads a source map; `undefined` if it is missing or invalid. The compiled position is used then. */
function readMap(mapUrl: string, scriptUrl: string): SourceMap | undefined {
  try {
    const url = new URL(mapUrl, asUrl(scriptUrl));
    const text = url.protocol === 'data:' ? textOfData(url.href) : readFileSync(url, 'utf8');
    return new SourceMap({ sourcesContent: [], ...mapSchema.parse(JSON.parse(text)) });
  } catch {
    return undefined;
  }
}

function textOfData(url: string): string {
  const [head = '', ...rest] = url.split(',');
  return head.endsWith(';base64')
    ? Buffer.from(rest.join(','), 'base64').toString()
    : decodeURIComponent(rest.join(','));
}

function asUrl(script: string): string {
  return script.startsWith('/') ? `file://${script}` : script;
}

function shown(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

function classNear({ file, line }: CodePlace, name: string): CodePlace | undefined {
  // A bundler writes `var Job$1 = class {` of a class without a use of its own name.
  const declaration = new RegExp(
    `\\bclass\\s+${escaped(name)}\\b|\\b${escaped(name)}[$\\d]*\\s*=\\s*class\\b`,
  );
  const declares = (text: string) => declaration.test(text);
  const lines = linesOf(file);
  // A bundle may have several classes of a name: the position is that of the class, or of its constructor.
  const above = lines.slice(0, line).findLastIndex(declares);
  const at = above < 0 ? lines.findIndex(declares) : above;
  return at < 0 ? undefined : { file, line: at + 1 };
}

const modifiers = '(?:(?:@.*\\)|async|public|private|protected|readonly|declare|override|static)\\s+)*';

function memberBelow({ file, line }: CodePlace, member: string): CodePlace | undefined {
  const declaration = new RegExp(`^\\s*${modifiers}${escaped(member)}\\s*[?!]?\\s*[:=(<]`);
  const lines = linesOf(file).slice(line - 1);
  const indent = /^\s*/.exec(lines[0] ?? '')?.[0] ?? '';
  const end = lines.findIndex((text) => text.startsWith(`${indent}}`));
  const at = lines.slice(0, end < 0 ? undefined : end).findIndex((text) => declaration.test(text));
  return at < 0 ? undefined : { file, line: line + at };
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w]/g, '\\$&');
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
