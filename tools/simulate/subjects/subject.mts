import type { CompiledQuery } from 'kysely';
import type { World } from '../kernel/world.mts';

/** A part of the product that is simulated. */
export interface Subject {
  readonly name: string;
  /** The claims that must hold, for the report. */
  readonly claims: readonly string[];
  /** A simulation's length, divided by its programs. Every subject takes about the same computing time. */
  readonly programHours: number;
  /** The shortest simulation that gives a useful result. */
  readonly leastMinutes: number;
  /** Starts the work of the programs in a world. `planted` names a fault that the simulator must find. */
  begin(world: World, planted?: string): void;
  /** The faults that can be planted, and the statements that they alter. */
  readonly faults: readonly PlantedFault[];
}

/** A fault that a change of the product could have. */
export interface PlantedFault {
  readonly name: string;
  /** The description of the fault, which is a kind that a review may miss. */
  readonly what: string;
  /** Alters a statement, if the fault is in a statement. */
  readonly alter?: (query: CompiledQuery) => CompiledQuery;
}

/** A fault in a statement's text: other statements stay as they are. */
export function altered(query: CompiledQuery, pattern: RegExp, replacement: string): CompiledQuery {
  return pattern.test(query.sql) ? { ...query, sql: query.sql.replace(pattern, replacement) } : query;
}
