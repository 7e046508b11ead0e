import * as fc from 'fast-check';
import type { Command } from './commands';
import { type Model, sessionIdOf } from './sign-in-model';

/** What somebody would like to do, before it is known with which of the tokens that there are. */
export interface Wish {
  readonly do: Command['do'];
  /** Which of the two programs is asked. */
  readonly program: 0 | 1;
  readonly account: 0 | 1;
  /** Which token, counted from the newest. */
  readonly pick: number;
  /** Whether it is done as it should be: with the right password, with a token as it was given out. */
  readonly isRight: boolean;
}

const often = ['sign in', 'refresh', 'refresh', 'refresh'] as const;
const seldom = [
  'log out',
  'end one',
  'change the password',
  'end one by hand',
  'end all by hand',
  'disable',
  'enable',
  'enable',
  'remove',
] as const;

const anything = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...often) }, fc.constantFrom(...seldom));

/** Expectations as people and thieves have them. */
export const expectation: fc.Arbitrary<Wish> = wishTo(anything);

/** Two expectations at once, of which one may well undo what the other does. */
export const twoWishes: fc.Arbitrary<readonly [Wish, Wish]> = fc.tuple(
  wishTo(fc.constantFrom('sign in', 'refresh', 'log out', 'change the password')),
  wishTo(fc.constantFrom('refresh', ...seldom)),
);

function wishTo(kind: fc.Arbitrary<Command['do']>): fc.Arbitrary<Wish> {
  return fc.record({
    do: kind,
    program: fc.constantFrom(0, 1),
    account: fc.constantFrom(0, 1),
    pick: fc.nat(5),
    isRight: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  });
}

/**
 * Makes a command of a expectation.
 *
 * @returns `undefined` when there is not yet what it takes
 */
export function deedOf({ do: kind, account, pick, isRight }: Wish, model: Model): Command | undefined {
  const refresh = newest(model.refresh, pick);
  const access = newest(model.access, pick);
  switch (kind) {
    case 'sign in': {
      const { password } = model.accounts[account];
      return { do: kind, account, password: isRight ? password : `not ${password}`, keeps: pick > 0 };
    }
    case 'refresh':
      return refresh && { do: kind, text: isRight ? refresh.text : damaged(refresh.text, pick) };
    case 'log out':
      return access && { do: kind, by: access.text };
    case 'change the password':
      return access && { do: kind, by: access.text, password: `phrase ${model.access.length}` };
    case 'end one':
      return access && refresh && { do: kind, by: access.text, sessionId: sessionIdOf(refresh.text) };
    case 'end one by hand':
      return refresh && { do: kind, account, sessionId: sessionIdOf(refresh.text) };
    default:
      return { do: kind, account };
  }
}

function newest<T>(all: readonly T[], pick: number): T | undefined {
  return all.at(-1 - (pick % Math.max(1, all.length)));
}

/** Cut off, lengthened, of no session, with another secret, or with another tag. */
function damaged(text: string, pick: number): string {
  const swap = (at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  return [text.slice(0, -1), `${text}A`, swap(3), swap(20), swap(79)][pick % 5];
}
