import * as fc from 'fast-check';
import type { Command } from './commands';
import { type Model, sessionIdOf } from './sign-in-model';

/** A generated command whose tokens are not chosen yet. */
export interface Intent {
  readonly do: Command['do'];
  /** Index of the instance. */
  readonly program: 0 | 1;
  readonly account: 0 | 1;
  /** Index of the token, from the newest. */
  readonly pick: number;
  /** Whether the password or the token is valid. */
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

/** A single intent. */
export const intent: fc.Arbitrary<Intent> = intentTo(anything);

/** Two concurrent intents that may conflict. */
export const intentPair: fc.Arbitrary<readonly [Intent, Intent]> = fc.tuple(
  intentTo(fc.constantFrom('sign in', 'refresh', 'log out', 'change the password')),
  intentTo(fc.constantFrom('refresh', ...seldom)),
);

function intentTo(kind: fc.Arbitrary<Command['do']>): fc.Arbitrary<Intent> {
  return fc.record({
    do: kind,
    program: fc.constantFrom(0, 1),
    account: fc.constantFrom(0, 1),
    pick: fc.nat(5),
    isRight: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  });
}

/**
 * Makes a command from an intent.
 *
 * @returns `undefined` if the model has no token for it yet
 */
export function commandOf({ do: kind, account, pick, isRight }: Intent, model: Model): Command | undefined {
  const refresh = newest(model.refresh, pick);
  const access = newest(model.access, pick);
  switch (kind) {
    case 'sign in': {
      const { password } = model.accounts[account];
      return { do: kind, account, password: isRight ? password : `not ${password}`, withSession: pick > 0 };
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

/** Truncated, extended, or with another session id, secret or tag. */
function damaged(text: string, pick: number): string {
  const swap = (at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  return [text.slice(0, -1), `${text}A`, swap(3), swap(20), swap(79)][pick % 5];
}
