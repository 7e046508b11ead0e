import { type KeySelection, readTransforms, selectKeys } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { ignoresArguments } from '../plan/ignores-arguments';
import { isNative } from '../plan/plan-class';
import type { Writer, WriterOptions } from './writer';

/** The fields that one route has stripped so far. */
export interface StrippedFields {
  /** Such as `GET /users/:id`. */
  readonly route: string;
  /** The number of its responses that were sampled. */
  readonly looked: number;
  /** By the path of a field, such as `items.passwordHash`: the number of sampled responses in which it was stripped. */
  readonly fields: Readonly<Record<string, number>>;
}

/** How often responses are sampled, and who is notified. */
export interface StrippedFieldSettings {
  /** One of so many responses is sampled, in addition to the first ones of each route; default 1024. */
  readonly every?: number;
  /** Called with the names of fields that a route strips, once for each name; never with values. */
  readonly onNames?: (route: string, names: readonly string[]) => void;
}

/** The number of first responses of a route that are sampled: these show nearly all names. */
const FIRST = 16;
/** The number of rows of a list that are sampled: they come from one query. */
const ROWS = 20;
/** Otherwise callers who choose names could fill the memory. */
const MOST_NAMES = 200;

/** The counts of one route. */
interface RouteCounts {
  readonly route: string;
  readonly counts: ReadonlyMap<string, number>;
  looked: number;
}

/** Counts which fields handlers returned that were not sent. Names only. */
export class StrippedFieldCounter {
  private readonly routes: RouteCounts[] = [];
  private readonly settings: StrippedFieldSettings;

  constructor(settings: StrippedFieldSettings = {}) {
    this.settings = settings;
  }

  /**
   * Samples the arguments of a route's writer, before it writes. A response that is not sampled costs one increment.
   */
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

  /** The stripped fields of all routes that have any. */
  report(): readonly StrippedFields[] {
    return this.routes
      .filter(({ counts }) => counts.size > 0)
      .map(({ route, looked, counts }) => ({ route, looked, fields: Object.fromEntries(counts) }));
  }
}

/** The paths of the fields of a response that its class does not send. */
export type NamesIn = (returned: unknown) => ReadonlySet<string>;

/**
 * Finds the fields that a class strips with given options, its own and those of parts with a declared class.
 *
 * @param options class-transformer's own
 */
export function strippedFieldsNames(
  type: Function,
  options: ClassTransformOptions,
  { isHardened = false }: WriterOptions = {},
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

/** The fields of a class that are sent. */
interface View {
  readonly leaves: (key: string) => boolean;
  /** The class of a part, if it is declared. */
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
      return typeof part === 'function' && part !== Buffer && !isNative(part) ? part : undefined;
    },
  };
}
