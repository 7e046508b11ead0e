import {
  CodePlaces,
  compareExposures,
  type Exposure,
  type responsesLeftToLibrary,
  type RouteDescription,
} from '@app/contract';
import type { TableDefinition } from '@app/persistence';
import { type Fault, placeOfTable } from '@app/persistence/testing';
import type { Leak } from './leak-detector';

/** Calls back with a {@link FaultPlaces}, and closes it afterwards. */
export function withPlaces<T>(routes: readonly RouteDescription[], look: (places: FaultPlaces) => T): T {
  const places = new FaultPlaces(routes);
  try {
    return look(places);
  } finally {
    places.close();
  }
}

/** Finds the source positions of handlers and members. */
export class FaultPlaces {
  private readonly places = new CodePlaces();

  constructor(private readonly routes: readonly RouteDescription[]) {}

  close(): void {
    this.places.close();
  }

  /**
   * Returns the position of a route's handler.
   *
   * @param subject begins with a route, such as `GET /notes/:id` or `GET /notes?sort=title`
   */
  ofRoute(subject: string): Fault['at'] {
    const [method, target = ''] = subject.split(' ');
    const path = target.split('?', 1)[0];
    const route = this.routes.find((candidate) => candidate.method === method && candidate.path === path);
    return route && this.places.find(route.controller, route.handler);
  }

  of(type: Function, member?: string): Fault['at'] {
    return this.places.find(type, member);
  }
}

/**
 * Describes columns that are in the database or in a declaration, but not in both.
 *
 * @param columns such as `note.color`, which the database has without a declaration, or which is declared but missing from
 *   migrations
 */
export function columnFaults(columns: readonly string[], tables: readonly TableDefinition[]): Fault[] {
  return columns.map((subject) => {
    const [name = '', column = ''] = subject.split('.');
    const table = tables.find((candidate) => candidate.name === name);
    const at = placeOfTable(name, column);
    if (table === undefined)
      return {
        subject,
        problem: `the database has a table ${name}, which nothing declares`,
        remedy: `Declare it with defineTable('${name}', …), and name it in the tables of the program`,
      };
    if (column in table.secrecy)
      return {
        subject,
        problem: 'it is declared, and no migration adds it',
        remedy: `Add a migration with the next number to the table ${name}, which adds the column`,
        at,
      };
    return {
      subject,
      problem: 'a migration adds it, and nothing declares who may read it',
      remedy: `Add ${column}: 'open' to secrecy, or 'operators', 'owner', 'internal', 'shown-once' or 'secret'`,
      at,
    };
  });
}

/** The declarations that the tables make about the account export, and the parts that it has. */
export interface ExportedTables {
  readonly tables: readonly { readonly name: string; readonly part: string }[];
  /** The parts that the program provides. */
  readonly parts: ReadonlySet<string>;
  /** Tables that refer to an account but declare that they hold nothing about it. */
  readonly silent: readonly string[];
}

export function exportFaults({ tables, parts, silent }: ExportedTables): Fault[] {
  const named = new Set(tables.map(({ part }) => part));
  return [
    ...tables
      .filter(({ part }) => !parts.has(part))
      .map(({ name, part }) => ({
        subject: name,
        problem: `its rows are the part '${part}' of the export, which no module provides`,
        remedy: `Add exportPart(Store, { name: '${part}', as: Class, read }) to the providers of its module`,
        at: placeOfTable(name, 'exported'),
      })),
    ...[...parts]
      .filter((part) => !named.has(part))
      .map((part) => ({
        subject: part,
        problem: 'it is a part of the export, and no table names it',
        remedy: `Add exported: { part: '${part}' } to the table whose rows it has`,
      })),
    ...silent.map((name) => ({
      subject: name,
      problem: 'it refers to an account, and says that it has nothing of one',
      remedy: "Write exported: { part: '…' } and provide the part, or exported: { not: 'the reason' }",
      at: placeOfTable(name, 'exported'),
    })),
  ];
}

/**
 * Describes columns that the export should have, and columns that have an unnecessary reason.
 *
 * @param forgotten columns that are shown and not in the export
 * @param explained columns that are left out with a reason
 */
export function exportedColumnFaults(forgotten: readonly string[], explained: readonly string[]): Fault[] {
  const placed = (subject: string, problem: string, remedy: string): Fault => {
    const [table = '', column] = subject.split('.');
    return { subject, problem, remedy, at: placeOfTable(table, column) };
  };
  const unsent = forgotten.filter((column) => !explained.includes(column));
  const sent = explained.filter((column) => !forgotten.includes(column));
  return [
    ...unsent.map((subject) => {
      const column = subject.split('.')[1];
      const remedy = `Expose ${column} in the class of the part, or add the reason to the table: without: { ${column}: '…' }`;
      return placed(subject, 'its account may read it, and the export does not have it', remedy);
    }),
    ...sent.map((subject) =>
      placed(
        subject,
        'the table says why the export does not have it, and the export has it',
        'Remove it from without',
      ),
    ),
  ];
}

export function leakFaults(leaks: readonly Leak[], places: FaultPlaces): Fault[] {
  return leaks.map(({ what, where }) => ({
    subject: `${what} in ${where}`,
    problem: 'a secret, or a value for other readers, was sent or logged',
    remedy: where.includes('the log')
      ? 'Log an id in place of the row or the error that carries it'
      : "Remove the member from the class of the response, or declare in secrecy of its column who may read it, such as 'open' or 'shown-once'",
    at: places.ofRoute(where),
  }));
}

export function lockFaults(locked: Exposure, exposed: Exposure, places: FaultPlaces): Fault[] {
  const { wider, narrower } = compareExposures(locked, exposed);
  return [...wider, ...narrower].map((line) => ({
    subject: line,
    problem: 'contract.lock.json has something else',
    remedy: 'If it is intended, run npm run generate and have the change of the lock reviewed',
    at: places.ofRoute(line),
  }));
}

/**
 * Describes orders without an index.
 *
 * @param paths of lists in an order that no index has, such as `/notes?sort=title&limit=1`
 */
export function orderFaults(paths: readonly string[], places: FaultPlaces): Fault[] {
  return [...new Set(paths)].map((path) => ({
    subject: `GET ${path}`,
    problem: 'the database sorts rows, or reads the whole table',
    remedy: 'Add a migration with an index on the columns of the filter, of the order, and the id',
    at: places.ofRoute(`GET ${path}`),
  }));
}

export function admissionFaults(
  admitted: readonly { readonly route: string; readonly status: number }[],
  places: FaultPlaces,
): Fault[] {
  return admitted.map(({ route, status }) => ({
    subject: route,
    problem: `it answers ${status} without credentials`,
    remedy: 'Let nothing answer before the guard: no hook, no middleware, and no guard of your own',
    at: places.ofRoute(route),
  }));
}

export function directSignInFaults(routes: readonly RouteDescription[], places: FaultPlaces): Fault[] {
  return routes.map(({ method, path }) => ({
    subject: `${method} ${path}`,
    problem: 'it changes an account, and does not say whether a caller with scopes may call it',
    remedy: 'Add @DirectSignIn(), or @DirectSignIn(false) if it creates no access',
    at: places.ofRoute(`${method} ${path}`),
  }));
}

export function unreachedFaults(routes: readonly string[], places: FaultPlaces): Fault[] {
  return routes.map((subject) => ({
    subject,
    problem: 'each caller got a 401, so that nothing of its response was checked',
    remedy: 'Give the promises a client of its strategy: { clients: { partner: async (program) => … } }',
    at: places.ofRoute(subject),
  }));
}

/**
 * Describes the errors in the OpenAPI document.
 *
 * @param errors of the validator: strings, or objects with a message and the place in the document
 */
export function documentFaults(errors: readonly unknown[]): Fault[] {
  return errors.map((error) => {
    const { instancePath, message }: { instancePath?: string; message?: string } = Object(error);
    return {
      subject: instancePath || 'the OpenAPI document',
      problem: message ?? String(error),
      remedy: 'Correct the @Schema() or the comment of the class or the route that it is made of',
    };
  });
}

export function sharedNameFault(subject: string): Fault {
  return {
    subject,
    problem:
      'two classes of routes have one name, and the order of the routes decides which class has the number',
    remedy: 'Rename a class',
  };
}

export function uncompiledResponses(
  left: ReturnType<typeof responsesLeftToLibrary>,
  places: FaultPlaces,
): Fault[] {
  return left.map(({ route, type, reason }) => ({
    subject: type === undefined ? route : `${route}, ${type}`,
    problem: `class-transformer itself writes it, because ${reason}`,
    remedy: 'Remove what the reason names from the class of the response',
    at: places.ofRoute(route),
  }));
}

/** Describes a value that the description and the program treat differently. */
export function differenceFault(
  subject: string,
  { body, query, params, method, path }: RouteDescription,
  from: 'body' | 'query' | 'param',
  problem: string,
  places: FaultPlaces,
): Fault {
  const type = { body, query, param: params }[from]?.type;
  return {
    subject,
    problem,
    remedy:
      'Make the rules of the class and its description agree: add the rule that is missing, or describe the member by @Schema()',
    at: (type && places.of(type)) ?? places.ofRoute(`${method} ${path}`),
  };
}
