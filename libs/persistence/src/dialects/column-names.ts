/** The name of a column in code: `created_at` is `createdAt`. */
export function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
