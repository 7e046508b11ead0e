import { type SelectModifierNode, SqliteQueryCompiler } from 'kysely';

/** Compiles queries to the SQL of SQLite, which has no row locks: its one transaction holds the write lock. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}
