/** A resource of an application. */
interface Place {
  readonly app: string;
  readonly plural: string;
}

/** The folder of its files, with the name that they begin with: `apps/api/src/tickets/tickets`. */
export function filesOf({ app, plural }: Place): string {
  return `apps/${app}/src/${plural}/${plural}`;
}

/** An application's definition. */
export function programPath({ app }: Pick<Place, 'app'>): string {
  return `apps/${app}/src/${app}.program.ts`;
}

/** A resource's wire classes. */
export function dtoPath(place: Place): string {
  return `${filesOf(place)}.dto.ts`;
}

/** Returns the path of the table file, which declares the type, the readers of its columns, and the migrations. */
export function tablePath(place: Place): string {
  return `${filesOf(place)}.table.ts`;
}

/** Returns the path for a migration that has its own file. */
export function migrationPath({ app, plural }: Place, migration: string): string {
  return `apps/${app}/src/${plural}/${migration}.migration.ts`;
}

/** The file of the function that creates a caller's organization. */
export function organizationOfPath({ app }: Pick<Place, 'app'>): string {
  return `apps/${app}/testing/organization-of.ts`;
}

/** The file of a function that makes a valid body. */
export function samplePath({ app, kebab }: { readonly app: string; readonly kebab: string }): string {
  return `apps/${app}/testing/samples/${kebab}.ts`;
}
