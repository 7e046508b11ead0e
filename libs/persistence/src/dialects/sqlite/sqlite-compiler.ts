import { type SelectModifierNode, SqliteQueryCompiler } from 'kysely';

/** Compiles queries to SQLite SQL. SQLite has no row locks, because its single write transaction locks the database. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}
