import { type CompiledQuery } from 'kysely';

/** A query that was compiled once: one of few texts, each of which may stay prepared. */
export interface KeptQuery extends CompiledQuery {
  readonly isKept: true;
}

/** Whether the text of a query comes again. */
export function isKept(query: CompiledQuery): query is KeptQuery {
  return 'isKept' in query;
}
