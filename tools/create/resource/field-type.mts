/** The field types. Each type is a column type name in `Columns`, or is stored as a column type. */
export type FieldType =
  'text' | 'integer' | 'boolean' | 'timestamp' | 'date' | 'decimal' | 'one-of' | 'ref' | 'json' | 'list';
