import type { Answer } from '../../attack/wire/exchange.mts';

/** The application parts that drills use. A missing part holds the reason. */
export interface Contract {
  /** The path prefix of the application, such as `/api`; empty for no prefix. */
  readonly prefix: string;
  /** Makes a sign-up body. Drills replace its e-mail and password. */
  readonly newUser: (() => object) | Lacking;
  readonly subject: Subject | Lacking;
  readonly table: Table | Lacking;
}

/** A resource that an administrator can freely create, read and list. Paths exclude the prefix. */
export interface Subject {
  /** Lists it. */
  readonly list: string;
  /** Makes a new body each time. The resource refuses the same body twice if it has something unique. */
  readonly create: () => Creation;
  /** Returns the path that reads the created item, according to the response; `undefined` if the response does not say. */
  readonly pathOf: (created: Pick<Answer, 'headers' | 'text'>) => string | undefined;
}

/** A request to create something. */
export interface Creation {
  readonly path: string;
  readonly body: object;
}

/** The table of a {@link Subject}. */
export interface Table {
  readonly name: string;
  /** Reads something else. */
  readonly other: string;
}

/** A part that the machine or the application lacks. The message is the rest of `needs …`. */
export class Lacking extends Error {}

/** Returns a part that the drill needs. @throws Lacking, which ends a drill before it has begun */
export function required<Part>(part: Part | Lacking): Part {
  if (part instanceof Lacking) throw part;
  return part;
}
