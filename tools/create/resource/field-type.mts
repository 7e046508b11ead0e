/** The types of fields; each is the name of a column type in `Columns`, or stored as one. */
export type FieldType =
  'text' | 'integer' | 'boolean' | 'timestamp' | 'date' | 'decimal' | 'one-of' | 'ref' | 'json' | 'list';
