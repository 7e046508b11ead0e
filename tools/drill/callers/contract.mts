import type { Answer } from '../../attack/wire/exchange.mts';

/** What drills use of an application; what it has not is why not. */
export interface Contract {
  /** Of its paths, such as `/api`; empty for none. */
  readonly prefix: string;
  /** Makes a body of its sign-up, whose e-mail and password are replaced. */
  readonly newUser: (() => object) | Lacking;
  readonly subject: Subject | Lacking;
  readonly table: Table | Lacking;
}

/** A resource of which an administrator creates, reads and lists what he wants. Paths are without the prefix. */
export interface Subject {
  /** Lists it. */
  readonly list: string;
  /** Creates another one each time; the same one again is refused where the resource has something unique. */
  readonly create: () => Creation;
  /** Where that is read, by the response; `undefined` if the response does not say. */
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

/** What the machine or the application has not; the message is the rest of `needs …`. */
export class Lacking extends Error {}

/** @throws Lacking, which ends a drill before it has begun */
export function given<Part>(part: Part | Lacking): Part {
  if (part instanceof Lacking) throw part;
  return part;
}
