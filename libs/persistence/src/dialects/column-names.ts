/** Returns the database name for a table or column: `created_at` for `createdAt`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns a column's name in code: `createdAt` for `created_at`. */
export function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
