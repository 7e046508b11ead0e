import type { Command, Enrolled, Issued, Opened, Outcome, Pair, Pending } from './commands';
import {
  expiry,
  type Model,
  type Refresh,
  sessionIdOf,
  type SignIn,
  signInOf,
  stateOf,
  totpStep,
} from './sign-in-model';

/** The time for which a rotated token returns its successor (D54). */
const GRACE_MS = 3_600_000;
const RESET_MS = 30 * 60_000;
const PENDING_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/**
 * The expected state after a command.
 *
 * @param before the state when the command started; with two concurrent commands, the guard may have checked it then
 * @returns `undefined` if the outcome is not permitted
 */
export function after(model: Model, command: Command, outcome: Outcome, before = model): Model | undefined {
  const next = structuredClone(model);
  const isPermitted = transitions[command.do](next, command as never, outcome, before);
  return isPermitted ? next : undefined;
}

/** Returns the possible states after a command with an unknown outcome. Nobody has the issued items. */
export function afterUnknown(model: Model, command: Command): Model[] {
  const outcomes = ['done', 'none', 'refused', 'disabled'] as const;
  return [model, ...outcomes.flatMap((outcome) => after(model, command, outcome) ?? [])];
}

type Transitions = {
  readonly [Kind in Command['do']]: (
    next: Model,
    command: Extract<Command, { readonly do: Kind }>,
    outcome: Outcome,
    before: Model,
  ) => boolean;
};

const transitions: Transitions = {
  'sign in'(next, { account, email, password, withSession }, outcome, before) {
    const { isRemoved, isDisabled, password: right, email: own, totp } = next.accounts[account];
    if (isRemoved || email !== own || password !== right) return outcome === 'none';
    if (isDisabled) return outcome === 'disabled';
    if (totp !== undefined) {
      // A sign-in that began before the enrolment verified one factor alone.
      if (outcome === 'none') return before.accounts[account].totp === undefined;
      if (!withSession) return outcome === 'mfa';
      if (!isPending(outcome)) return false;
      const expiresAt = next.now + PENDING_MS;
      const isUncertain = before.accounts[account].totp === undefined;
      next.pending.push({ account, text: outcome.pending, expiresAt, isEnded: false, isUncertain });
      return true;
    }
    if (!isPair(outcome) && !isOpened(outcome)) return false;
    return withSession === (open(next, account, outcome) !== undefined);
  },

  complete(next, { token, isRight }, outcome, before) {
    const pending = next.pending.find(({ text }) => text === token);
    if (pending === undefined || pending.expiresAt <= next.now) return outcome === 'none';
    const { totp, isDisabled } = next.accounts[pending.account];
    const step = totpStep(next);
    if (pending.isEnded) {
      const wasValid = before.pending.some(({ text, isEnded }) => text === token && !isEnded);
      if (wasValid && isRight && totp && step > totp.lastStep) totp.uncertainStep = step;
      return outcome === 'none' || (outcome === 'disabled' && isDisabled && wasValid);
    }
    const isAccepted = isRight && totp !== undefined && step > totp.lastStep;
    if (outcome === 'none' && isAccepted && pending.isUncertain) {
      pending.isEnded = true;
      return true;
    }
    if (outcome === 'none') return !isAccepted || totp.uncertainStep === step;
    if (!isAccepted || !(isPair(outcome) || isOpened(outcome))) return false;
    totp.lastStep = step;
    pending.isEnded = true;
    return open(next, pending.account, outcome) !== undefined;
  },

  enrol(next, { by }, outcome, before) {
    const own = signInOf(next, by);
    const account = next.accounts[own.account];
    const state = stateOf(next, by);
    // Of two enrolments at once the second one replaces the secret of the first, and then ends its sign-in.
    const isReplaced = account.totp !== undefined && stateOf(before, by) === 'valid';
    if (state !== 'valid') return outcome === state || (outcome === 'none' && isReplaced);
    const wasEnrolled = before.accounts[own.account].totp !== undefined;
    if (account.totp !== undefined || (outcome === 'none' && wasEnrolled)) return outcome === 'none';
    if (!isEnrolled(outcome)) return false;
    endAll(next, own.account, own);
    account.totp = { secret: outcome.secret, lastStep: totpStep(next) };
    return true;
  },

  'end the factor'(next, { by }, outcome) {
    const state = stateOf(next, by);
    if (state !== 'valid') return outcome === state;
    const account = next.accounts[signInOf(next, by).account];
    const hadFactor = account.totp !== undefined;
    account.totp = undefined;
    return outcome === (hadFactor ? 'done' : 'none');
  },

  refresh(next, { text }, outcome) {
    const token = next.refresh.find((each) => each.text === text);
    const signIn = token && next.signIns[token.signIn];
    if (token === undefined || signIn === undefined || signIn.isEnded || expiry(signIn) <= next.now)
      return outcome === 'none';
    if (token.rotatedAt === undefined) return rotate(next, token, signIn, outcome);
    const successor = next.refresh.find((each) => each.text === token.successor);
    const isNewest = successor !== undefined && successor.rotatedAt === undefined;
    if (isNewest && next.now - token.rotatedAt <= GRACE_MS) return repeat(next, token, outcome);
    signIn.isEnded = true;
    return outcome === 'none';
  },

  'log out'(next, { by }, outcome, before) {
    if (typeof outcome === 'string' && outcome !== 'done') return outcome === stateOf(next, by);
    signInOf(next, by).isEnded = true;
    return stateOf(before, by) === 'valid';
  },

  'end one'(next, { by, sessionId }, outcome, before) {
    if (outcome === 'refused' || outcome === 'disabled') return outcome === stateOf(next, by);
    const { account } = signInOf(next, by);
    return stateOf(before, by) === 'valid' && endOne(next, account, sessionId, outcome);
  },

  'change the password'(next, { by, email, password }, outcome) {
    const state = stateOf(next, by);
    if (state !== 'valid') return outcome === state;
    const own = signInOf(next, by);
    next.accounts[own.account].password = password;
    endAll(next, own.account, own);
    setEmail(next, own.account, email);
    return outcome === 'done';
  },

  'change the e-mail'(next, { by, email }, outcome) {
    const state = stateOf(next, by);
    if (state !== 'valid') return outcome === state;
    setEmail(next, signInOf(next, by).account, email);
    return outcome === 'done';
  },

  'ask for a reset'(next, { email }, outcome) {
    const account = next.accounts.findIndex((each) => each.email === email && !each.isRemoved);
    const asked = next.accounts[account];
    if (asked === undefined || asked.isDisabled) return outcome === 'none';
    if (!isIssued(outcome)) return false;
    asked.reset = outcome.issued;
    next.resets.push({ account, text: outcome.issued, expiresAt: next.now + RESET_MS });
    return true;
  },

  'complete a reset'(next, { token, password }, outcome) {
    const reset = next.resets.find(({ text }) => text === token);
    const owner = reset && next.accounts[reset.account];
    if (reset === undefined || owner?.reset !== token || reset.expiresAt <= next.now)
      return outcome === 'none';
    owner.password = password;
    endAll(next, reset.account);
    endKeys(next, reset.account);
    return outcome === 'done';
  },

  'make a key'(next, { by, expiresInDays }, outcome) {
    const state = stateOf(next, by);
    if (state !== 'valid') return outcome === state;
    if (!isIssued(outcome)) return false;
    const { account } = signInOf(next, by);
    const expiresAt = expiresInDays === undefined ? Infinity : next.now + expiresInDays * DAY_MS;
    next.keys.push({ account, text: outcome.issued, id: outcome.id, expiresAt, isEnded: false });
    return true;
  },

  'end a key'(next, { by, keyId }, outcome) {
    const state = stateOf(next, by);
    if (state !== 'valid') return outcome === state;
    const { account } = signInOf(next, by);
    const key = next.keys.find((each) => each.account === account && each.id === keyId && !each.isEnded);
    if (key) key.isEnded = true;
    return outcome === (key ? 'done' : 'none');
  },

  'end one by hand': (next, { account, sessionId }, outcome) => endOne(next, account, sessionId, outcome),

  'end all by hand'(next, { account }, outcome) {
    if (next.accounts[account].isRemoved) return outcome === 'none';
    endAll(next, account);
    return outcome === 'done';
  },

  disable(next, { account }, outcome) {
    if (next.accounts[account].isRemoved) return outcome === 'none';
    next.accounts[account].isDisabled = true;
    endAll(next, account);
    endKeys(next, account);
    return outcome === 'done';
  },

  enable(next, { account }, outcome) {
    if (next.accounts[account].isRemoved) return outcome === 'none';
    next.accounts[account].isDisabled = false;
    return outcome === 'done';
  },

  remove(next, { account }, outcome) {
    if (next.accounts[account].isRemoved) return outcome === 'none';
    next.accounts[account].isRemoved = true;
    endAll(next, account);
    endKeys(next, account);
    return outcome === 'done';
  },
};

/** @returns the session id, if there is a session */
function open(next: Model, account: number, outcome: Pair | Opened): number | undefined {
  const refresh = isOpened(outcome) ? undefined : outcome.refresh;
  const refreshedId = refresh === undefined ? undefined : sessionIdOf(refresh);
  const sessionId = isOpened(outcome) ? outcome.opened : refreshedId;
  const openedAt = next.now;
  const signIn = next.signIns.push({ account, sessionId, openedAt, usedAt: openedAt, isEnded: false }) - 1;
  if (isPair(outcome)) receive(next, signIn, outcome);
  return sessionId;
}

/** Issues a new successor. */
function rotate(next: Model, token: Refresh, signIn: SignIn, outcome: Outcome): boolean {
  if (!isPair(outcome) || outcome.refresh === undefined) return false;
  const isNew = next.refresh.every(({ text }) => text !== outcome.refresh);
  Object.assign(token, { rotatedAt: next.now, successor: outcome.refresh });
  signIn.usedAt = next.now;
  receive(next, token.signIn, outcome);
  return isNew;
}

/** Accepts the same successor with a new access token. */
function repeat(next: Model, { signIn, successor }: Refresh, outcome: Outcome): boolean {
  if (!isPair(outcome)) return false;
  receive(next, signIn, { access: outcome.access });
  return outcome.refresh === successor;
}

function receive(next: Model, signIn: number, { access, refresh }: Pair): void {
  const email = emailIn(access);
  next.access.push({ signIn, text: access, email, issuedAt: next.now });
  if (refresh !== undefined) next.refresh.push({ signIn, text: refresh });
}

function endOne(next: Model, account: number, sessionId: number, outcome: Outcome): boolean {
  const signIn = next.signIns.find(
    (each) => each.account === account && each.sessionId === sessionId && !each.isEnded,
  );
  if (signIn) signIn.isEnded = true;
  return outcome === (signIn ? 'done' : 'none');
}

/** Ends all the account's tokens except a kept sign-in, the sign-ins that wait for a second factor, and the reset link. */
function endAll({ signIns, accounts, pending }: Model, account: number, kept?: SignIn): void {
  for (const each of pending) if (each.account === account) each.isEnded = true;
  for (const each of signIns) if (each.account === account && each !== kept) each.isEnded = true;
  accounts[account].reset = undefined;
}

function endKeys({ keys }: Model, account: number): void {
  for (const each of keys) if (each.account === account) each.isEnded = true;
}

/** Sets the e-mail. A changed e-mail ends the reset link, which was sent to the previous e-mail. */
function setEmail({ accounts, now }: Model, account: number, email: string): void {
  if (accounts[account].email === email) return;
  Object.assign(accounts[account], { email, emailChangedAt: now, reset: undefined });
}

function isPair(outcome: Outcome): outcome is Pair {
  return typeof outcome === 'object' && 'access' in outcome;
}

function isOpened(outcome: Outcome): outcome is Opened {
  return typeof outcome === 'object' && 'opened' in outcome;
}

function isPending(outcome: Outcome): outcome is Pending {
  return typeof outcome === 'object' && 'pending' in outcome;
}

function isEnrolled(outcome: Outcome): outcome is Enrolled {
  return typeof outcome === 'object' && 'secret' in outcome;
}

function isIssued(outcome: Outcome): outcome is Issued {
  return typeof outcome === 'object' && 'issued' in outcome;
}

function emailIn(token: string): string {
  const { username }: { username: string } = JSON.parse(
    Buffer.from(token.split('.')[1], 'base64url').toString(),
  );
  return username;
}
