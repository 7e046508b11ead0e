import { type KeySelection, readTransforms, selectKeys } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { ignoresArguments } from './plan/ignores-arguments';
import type { Writer, WriterTerms } from './writer';

/** What one route has held back so far. */
export interface StrippedFields {
  /** Such as `GET /users/:id`. */
  readonly route: string;
  /** How many of its answers were looked at. */
  readonly looked: number;
  /** By the path of a field, such as `items.passwordHash`: in how many of them it was held back. */
  readonly fields: Readonly<Record<string, number>>;
}

/** How often answers are looked at, and who is told. */
export interface StrippedFieldSettings {
  /** Look at one answer in so many, beside the first few of each route; 1024, unless said otherwise. */
  readonly every?: number;
  /** Is told the names of fields that a route holds back, once for each; never what they hold. */
  readonly onNames?: (route: string, names: readonly string[]) => void;
}

/** Of every route so many answers are looked at, for the first ones tell nearly all. */
const FIRST = 16;
/** Of a list so many rows: they come from one query. */
const ROWS = 20;
/** A caller who chooses names could otherwise fill the memory. */
const MOST_NAMES = 200;

/** The counts of one route. */
interface RouteBook {
  readonly route: string;
  readonly counts: ReadonlyMap<string, number>;
  looked: number;
}

/** Counts which fields the routes of a program were given and did not send. Names only. */
export class StrippedFieldCounter {
  private readonly routes: RouteBook[] = [];
  private readonly settings: StrippedFieldSettings;

  constructor(settings: StrippedFieldSettings = {}) {
    this.settings = settings;
  }

  /** Looks at some of what a route's writer is given, before it writes. Between looks it costs a count per answer. */
  watch(route: string, namesIn: NamesIn, write: Writer): Writer {
    const { every = 1024, onNames } = this.settings;
    const counts = new Map<string, number>();
    const book = { route, looked: 0, counts };
    this.routes.push(book);
    let left = 1;

    function look(returned: unknown): void {
      book.looked += 1;
      left = book.looked < FIRST ? 1 : every;
      const names = namesIn(returned);
      const unknown = [...names].filter((name) => !counts.has(name)).slice(0, MOST_NAMES - counts.size);
      for (const name of unknown) counts.set(name, 0);
      for (const name of names) {
        const count = counts.get(name);
        if (count !== undefined) counts.set(name, count + 1);
      }
      if (unknown.length > 0) onNames?.(route, unknown);
    }

    return (returned) => {
      left -= 1;
      if (left === 0) look(returned);
      return write(returned);
    };
  }

  /** What was held back so far, by routes that hold back anything. */
  report(): readonly StrippedFields[] {
    return this.routes
      .filter(({ counts }) => counts.size > 0)
      .map(({ route, looked, counts }) => ({ route, looked, fields: Object.fromEntries(counts) }));
  }
}

/** The paths of the fields of an answer that its class does not send. */
export type NamesIn = (returned: unknown) => ReadonlySet<string>;

/**
 * Finds the fields that a class holds back under some options, its own and those of the parts whose class it names.
 *
 * @param options class-transformer's own
 */
export function strippedFieldsNames(
  type: Function,
  options: ClassTransformOptions,
  { isHardened = false }: WriterTerms = {},
): NamesIn {
  const views = new Map<Function, View>();
  const viewOf = (one: Function): View => {
    const view = views.get(one) ?? readView(one, options, isHardened);
    views.set(one, view);
    return view;
  };

  function collect(value: unknown, one: Function, path: string, names: Set<string>): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const part of value.slice(0, ROWS)) collect(part, one, path, names);
      return;
    }
    const { leaves, partOf } = viewOf(one);
    for (const [key, held] of Object.entries(value)) {
      const part = partOf(key);
      if (!leaves(key)) names.add(path + key);
      else if (part) collect(held, part, `${path}${key}.`, names);
    }
  }

  return (returned) => {
    const names = new Set<string>();
    collect(returned, type, '', names);
    return names;
  };
}

/** What leaves of the instances of a class. */
interface View {
  readonly leaves: (key: string) => boolean;
  /** The class of a part, where that is told. */
  readonly partOf: (key: string) => Function | undefined;
}

function readView(type: Function, options: ClassTransformOptions, isHardened: boolean): View {
  const shape = readTransforms(type);
  const strategy = isHardened ? shape.inheritedStrategy : shape.strategy;
  const selection: KeySelection = selectKeys(shape, 'toPlain', options, strategy);
  const exposed = new Set(selection.exposed);
  return {
    leaves: (key) => exposed.has(key) || (selection.takesOwnKeys && selection.keeps(key)),
    partOf(key) {
      const rule = shape.typeOf.get(key);
      if (rule === undefined || rule.discriminator) return undefined;
      const { typeFunction, reflectedType } = rule;
      if (typeFunction && !ignoresArguments(typeFunction)) return undefined;
      const part: unknown = typeFunction ? typeFunction() : reflectedType;
      return typeof part === 'function' && !isBuiltIn(part) ? part : undefined;
    },
  };
}

function isBuiltIn(type: Function): boolean {
  return Function.prototype.toString.call(type).endsWith('{ [native code] }') || type === Buffer;
}
