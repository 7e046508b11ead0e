import type { CompiledQuery } from 'kysely';
import type { World } from '../kernel/world.mts';

/** A part of the product that is simulated. */
export interface Subject {
  readonly name: string;
  /** What must hold, for the report. */
  readonly claims: readonly string[];
  /** How long one simulation lasts, divided by its programs; what takes a computer about the same time for every subject. */
  readonly programHours: number;
  /** A shorter one shows nothing. */
  readonly leastMinutes: number;
  /** Has the programs of a world do their work, with one of the faults that the simulator must find, or none. */
  begin(world: World, planted?: string): void;
  /** Faults that can be planted, and statements that they alter. */
  readonly faults: readonly PlantedFault[];
}

/** A fault that a change of the product could have. */
export interface PlantedFault {
  readonly name: string;
  /** Of the sort that a review may miss. */
  readonly what: string;
  /** If it is one of a statement. */
  readonly alter?: (query: CompiledQuery) => CompiledQuery;
}

/** A fault in the text of a statement: other statements stay as they are. */
export function altered(query: CompiledQuery, pattern: RegExp, replacement: string): CompiledQuery {
  return pattern.test(query.sql) ? { ...query, sql: query.sql.replace(pattern, replacement) } : query;
}
