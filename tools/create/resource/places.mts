/** A resource of an application. */
interface Place {
  readonly app: string;
  readonly plural: string;
}

/** The folder of its files, with the name that they begin with: `apps/api/src/tickets/tickets`. */
export function filesOf({ app, plural }: Place): string {
  return `apps/${app}/src/${plural}/${plural}`;
}

/** The definition of an application. */
export function programPath({ app }: Pick<Place, 'app'>): string {
  return `apps/${app}/src/${app}.program.ts`;
}

/** The wire classes of a resource. */
export function dtoPath(place: Place): string {
  return `${filesOf(place)}.dto.ts`;
}

/** The file of a table: its type, who may read its columns, and its migrations. */
export function tablePath(place: Place): string {
  return `${filesOf(place)}.table.ts`;
}

/** The file of a migration that is not in that of its table. */
export function migrationPath({ app, plural }: Place, migration: string): string {
  return `apps/${app}/src/${plural}/${migration}.migration.ts`;
}

/** The file of a function that makes a valid body. */
export function samplePath({ app, kebab }: { readonly app: string; readonly kebab: string }): string {
  return `apps/${app}/testing/samples/${kebab}.ts`;
}
