import type { Findings } from '../target/results.mts';
import type { Target } from '../target/target.mts';
import { accessTokenIn } from '../wire/answers.mts';
import type { Attempt } from '../wire/exchange.mts';
import { Wire } from '../wire/wire.mts';

/** At the service and at a second program on its store, if it can be started. */
export async function atTwoPrograms(
  target: Target,
  run: (wires: readonly Wire[]) => Promise<void>,
): Promise<void> {
  const second = await target.startSecond?.();
  const there = second && new Wire(new URL(second.url));
  try {
    await run(there ? [target.wire, there] : [target.wire]);
  } finally {
    there?.close();
    await second?.stop();
  }
}

/** Sends a proof twice to each of two programs at once, and expects a single sign-in. */
export async function expectOneUse(target: Target, what: string, attempt: Attempt): Promise<void> {
  await atTwoPrograms(target, (wires) =>
    expectOneSignIn(
      target.findings,
      what,
      [...wires, ...wires].map((wire) => [wire, attempt]),
    ),
  );
}

/** Expects that an invalid or used credential signs no user in. */
export async function expectNoSignIn(
  findings: Findings,
  what: string,
  attempt: Attempt,
  wire = findings.wire,
): Promise<void> {
  const { status, text } = await wire.send(attempt);
  const isRefused = status >= 400 && status < 500 && accessTokenIn(text) === undefined;
  findings.expect(isRefused, `${attempt.path} answers ${status} to ${what}`, attempt);
}

/** Expects that a credential of a program signs no user in at a second program on the same store. */
export async function expectNoSignInElsewhere(
  { elsewhere, wire: { watch }, findings }: Target,
  what: string,
  attempt: Attempt,
): Promise<void> {
  const url = elsewhere?.();
  if (url === undefined) return;
  const wire = new Wire(new URL(url), watch);
  try {
    await expectNoSignIn(findings, `${what} of another program`, attempt, wire);
  } finally {
    wire.close();
  }
}

/** Expects that exactly 1 sign-in succeeds when several are sent at once with a credential for a single sign-in. */
export async function expectOneSignIn(
  findings: Findings,
  what: string,
  attempts: readonly (readonly [Wire, Attempt])[],
): Promise<void> {
  const answers = await Promise.all(attempts.map(([wire, attempt]) => wire.send(attempt)));
  const count = answers.filter(({ text }) => accessTokenIn(text) !== undefined).length;
  const statuses = answers.map(({ status }) => status).join(', ');
  findings.expect(
    count === 1,
    `${what}, sent ${answers.length} times at once, signed in ${count} times: ${statuses}`,
    attempts[0]?.[1],
  );
}
