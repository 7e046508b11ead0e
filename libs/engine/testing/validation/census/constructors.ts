import { Type } from 'class-transformer';
import * as v from 'class-validator';
import { field, type Field } from './field';

/** A base class with the code that programs and their compilers write around the fields. */
export interface Base {
  readonly what: string;
  /** The fields, some of which the constructor sets. */
  readonly fields: readonly Field[];
  make(): new () => object;
}

const page = field('page', Number, [v.IsOptional(), v.IsInt(), v.Min(1)], [2, undefined]);
const sort = field('sort', String, [v.IsOptional(), v.IsIn(['id', 'name', 'a,b'])], ['name', undefined]);
const limit = field('limit', Number, [v.IsInt(), v.Max(100)], [5, 50]);
const createdAt = field('createdAt', Date, [v.IsDate(), Type(() => Date)], ['2026-01-01']);
const tags = field('tags', Array, [v.IsString({ each: true })], [['a'], undefined]);
const meta = field('meta', Object, [v.IsObject()], [{ a: 1 }, undefined]);
const ownName = field('name', String, [v.IsString()], ['Ann']);
const ownEmail = field('email', String, [v.IsEmail()], ['ann@example.org']);
const createdBy = field('createdBy', String, [v.IsOptional(), v.IsString()], ['ann', undefined]);
const startedAt = field('startedAt', Number, [v.IsInt()], [1, undefined]);
const offset = field('offset', Number, [v.IsInt()], [1, undefined]);

class Named {
  name!: string;
}

class Entity {
  createdBy = 'nobody';
  describe(): string {
    return this.createdBy;
  }
}

/** Casts a constructor with parameters, which a program would pass to `new` elsewhere. */
const withParameters = (type: unknown): new () => object => type as new () => object;

/** The constructors in the forms that programs contain, and that swc, esbuild and tsc emit. */
export const CONSTRUCTORS: readonly Base[] = [
  {
    what: 'fields laid down by tsc or esbuild',
    fields: [page, sort],
    make: () =>
      class {
        page: number;
        sort: string;
        constructor() {
          this.page = 1;
          this.sort = 'id';
        }
      },
  },
  {
    what: 'fields laid down by swc',
    fields: [ownName, limit],
    make: () =>
      class extends Named {
        limit: number;
        constructor(...args: []) {
          super(...args);
          this.limit = 10;
        }
      },
  },
  {
    what: 'fields with values that are made',
    fields: [createdAt, tags, meta],
    make: () =>
      class {
        createdAt = new Date(0);
        tags: string[] = ['new', 'open'];
        meta = { version: 1 };
      },
  },
  {
    what: 'a constructor that takes an object',
    fields: [ownName],
    make: () =>
      withParameters(
        class {
          constructor(partial: object) {
            Object.assign(this, partial);
          }
          toText(): string {
            return Object.keys(this).join();
          }
        },
      ),
  },
  {
    what: 'a constructor that takes an object or nothing',
    fields: [ownName, ownEmail],
    make: () =>
      class {
        constructor(partial: object = {}) {
          Object.assign(this, partial);
        }
        toText(): string {
          return Object.keys(this).join();
        }
      },
  },
  {
    what: 'parameter properties',
    fields: [ownName, ownEmail],
    make: () =>
      withParameters(
        class {
          readonly name: unknown;
          readonly email: unknown;
          constructor(name: unknown, email: unknown) {
            this.name = name;
            this.email = email;
          }
        },
      ),
  },
  {
    what: 'a computed field',
    fields: [startedAt, sort],
    make: () =>
      class {
        startedAt = Date.UTC(2026, 0);
        sort = ['a', 'b'].join();
      },
  },
  {
    what: 'methods and getters',
    fields: [createdBy],
    make: () =>
      class extends Entity {
        get label(): string {
          return `${this.createdBy}!`;
        }
        toText(): string {
          return this.label;
        }
      },
  },
  {
    what: 'an accessor in place of a field',
    fields: [ownName],
    make: () =>
      class {
        #name: unknown = undefined;
        get name(): unknown {
          return this.#name;
        }
        set name(value: unknown) {
          this.#name = typeof value === 'string' ? value.trim() : value;
        }
      },
  },
  {
    what: 'a function as a field',
    fields: [offset],
    make: () =>
      class {
        toText = () => 'text';
        offset = 0;
      },
  },
];
