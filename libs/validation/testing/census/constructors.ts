/** A class to begin with: what programs and their compilers write around the fields. */
export interface Base {
  readonly what: string;
  make(): new () => object;
}

class Named {
  name!: string;
}

class Entity {
  createdBy = 'nobody';
  describe(): string {
    return this.createdBy;
  }
}

/** Constructors with parameters, as they are given to `new` elsewhere in a program. */
const withParameters = (type: unknown): new () => object => type as new () => object;

/** Constructors in the forms in which they stand in programs, and in which swc, esbuild and tsc write them. */
export const CONSTRUCTORS: readonly Base[] = [
  {
    what: 'fields laid down by tsc or esbuild',
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
    make: () =>
      class {
        createdAt = new Date(0);
        tags: string[] = ['new', 'open'];
        meta = { version: 1 };
      },
  },
  {
    what: 'a constructor that takes an object',
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
    make: () =>
      class {
        startedAt = Date.UTC(2026, 0);
        sort = ['a', 'b'].join();
      },
  },
  {
    what: 'methods and getters',
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
    make: () =>
      class {
        toText = () => 'text';
        offset = 0;
      },
  },
];
