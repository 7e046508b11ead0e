import * as fc from 'fast-check';
import { type Command, totpCode } from './commands';
import { type Model, ownerOf, sessionIdOf } from './sign-in-model';

/** A generated command that still lacks its tokens. */
export interface Intent {
  readonly do: Command['do'];
  /** The instance's index. */
  readonly program: 0 | 1;
  readonly account: 0 | 1;
  /** The token's index, from the newest. */
  readonly pick: number;
  /** Whether the password or the token is valid. */
  readonly isRight: boolean;
}

const often = ['sign in', 'sign in', 'complete', 'refresh', 'refresh', 'refresh'] as const;
const seldom = [
  'log out',
  'end one',
  'change the password',
  'change the e-mail',
  'ask for a reset',
  'ask for a reset',
  'complete a reset',
  'complete a reset',
  'enrol',
  'enrol',
  'end the factor',
  'make a key',
  'end a key',
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

/** Generates two concurrent intents that may conflict. */
export const intentPair: fc.Arbitrary<readonly [Intent, Intent]> = fc.tuple(
  intentTo(
    fc.constantFrom(
      'sign in',
      'complete',
      'complete',
      'enrol',
      'refresh',
      'log out',
      'change the password',
      'complete a reset',
      'make a key',
    ),
  ),
  intentTo(fc.constantFrom('complete', 'sign in', 'refresh', ...seldom)),
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
      const { email, password } = model.accounts[account];
      const typed = isRight ? password : `not ${password}`;
      return { do: kind, account, email, password: typed, withSession: pick > 0 };
    }
    case 'complete': {
      const pending = newest(model.pending, pick);
      const { totp } = pending ? model.accounts[pending.account] : {};
      const code = totp && isRight ? totpCode(totp.secret, model.now) : 'no code';
      return pending && { do: kind, token: pending.text, code, isRight: totp !== undefined && isRight };
    }
    case 'enrol':
    case 'end the factor':
      return access && { do: kind, by: access.text };
    case 'refresh':
      return refresh && { do: kind, text: isRight ? refresh.text : damaged(refresh.text, pick) };
    case 'log out':
      return access && { do: kind, by: access.text };
    case 'change the password': {
      const password = `phrase ${model.access.length}`;
      return access && { do: kind, by: access.text, email: ownerOf(model, access).email, password };
    }
    case 'change the e-mail': {
      const home = access && ownerOf(model, access).home;
      return access && { do: kind, by: access.text, email: `${model.access.length}.${home}` };
    }
    case 'ask for a reset': {
      const { email } = model.accounts[account];
      return { do: kind, email: isRight ? email : `not.${email}` };
    }
    case 'complete a reset': {
      const reset = newest(model.resets, pick);
      const token = reset && (isRight ? reset.text : damaged(reset.text, pick));
      return token === undefined ? undefined : { do: kind, token, password: `reset ${model.access.length}` };
    }
    case 'make a key':
      return access && { do: kind, by: access.text, expiresInDays: isRight ? undefined : 1 };
    case 'end a key': {
      const key = newest(model.keys, pick);
      return access && key && { do: kind, by: access.text, keyId: key.id };
    }
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

/** Returns a truncated or extended text, or a text with a changed session id, secret or tag. */
function damaged(text: string, pick: number): string {
  const swap = (at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  return [text.slice(0, -1), `${text}A`, swap(3), swap(20), swap(79)][pick % 5];
}
