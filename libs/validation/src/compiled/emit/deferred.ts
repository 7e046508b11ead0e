import type { Say } from './message-text';

/** A message that is a function, with the place its words go to. */
export interface Later {
  readonly said: Record<string, string>;
  readonly name: string;
  readonly say: Say;
  readonly object: object;
  readonly value: unknown;
}

/** Asks every message that is a function, once all instances are complete. */
export function askLater(later: readonly Later[]): void {
  for (const { said, name, say, object, value } of later) said[name] = say(object, value);
}
