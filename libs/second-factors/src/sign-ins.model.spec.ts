import { isDeepStrictEqual } from 'node:util';
import { AccountDisabledError } from '@app/accounts';
import { callerOf, FakeTime, useAccountsDatabase } from '@app/accounts/testing';
import type { Database } from '@app/persistence';
import { type LostConnections, useLostConnections } from '@app/persistence/testing';
import * as fc from 'fast-check';
import { type Command, type Outcome, perform, type Person } from '../testing/commands';
import { type Instance, makeInstance } from '../testing/instance';
import { secondFactorsSchema } from '../testing/second-factors-schema';
import {
  initialModel,
  keyStateOf,
  type Model,
  moveTime,
  sessionsOf,
  stateOf,
  type TokenState,
} from '../testing/sign-in-model';
import { after, afterUnknown } from '../testing/sign-in-transitions';
import { commandOf, type Intent, intent, intentPair } from '../testing/intents';

/** `MODEL_RUNS=5000 MODEL_SEED=7 npx vitest run libs/accounts/src/sessions` runs longer, or repeats a run. */
const numRuns = Number(process.env.MODEL_RUNS ?? 25);
const seed = Number(process.env.MODEL_SEED ?? 1);

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Two instances on one database, and their accounts. */
interface System {
  readonly programs: readonly [Instance, Instance];
  readonly people: readonly Person[];
  readonly time: FakeTime;
  readonly cutCommit: CutCommit;
}

type CutCommit = LostConnections['cutCommit'];

const neverCut: CutCommit = () => () => false;

interface Expected {
  /** More than one where it is not known yet whether a command took effect. */
  models: readonly Model[];
}

let runs = 0;

async function makeSystem(
  db: Database,
  secondDb: Database,
  cutCommit: CutCommit,
): Promise<{ model: Expected; real: System }> {
  const time = new FakeTime();
  time.apply();
  const programs = [makeInstance(db, time), makeInstance(secondDb, time)] as const;
  const passwords = ['the phrase of ada', 'the phrase of bob'];
  const people: (Person & { readonly password: string })[] = [];
  for (const password of passwords) {
    const email = `${people.length}.${(runs += 1)}@example.com`;
    people.push({ email, password, id: (await programs[0].signUp.create({ email, password })).id });
  }
  return {
    model: { models: [initialModel(time.wall, people)] },
    real: { programs, people, time, cutCommit },
  };
}

/** A command, or two concurrent commands. */
class Do implements fc.AsyncCommand<Expected, System> {
  constructor(
    private readonly intents: readonly Intent[],
    private readonly cut?: { readonly when: 'before' | 'after'; readonly nth: number },
  ) {}

  check({ models }: Expected): boolean {
    return this.intents.every((each) => commandOf(each, models[0]) !== undefined);
  }

  async run(expected: Expected, system: System): Promise<void> {
    const commands = this.intents.flatMap((each) => commandOf(each, expected.models[0]) ?? []);
    const asked = this.intents.map(({ program }) => system.programs[program]);
    const uncut = this.cut ? system.cutCommit(this.cut.when, this.cut.nth) : neverCut('after');
    const run = (command: Command, at: number) => perform(asked[at], system.people, command);
    const outcomes = await Promise.all(commands.map(run));
    const wasCut = uncut();
    // A client repeats it, and is given the same successor if the first one was created (D19).
    if (outcomes[0] === 'unknown' && commands[0].do === 'refresh') outcomes[0] = await run(commands[0], 0);
    const models = expected.models.flatMap((model) => permitted(model, commands, outcomes));
    if (models.length === 0) throw new Error(`not permitted: ${JSON.stringify({ commands, outcomes })}`);
    // At once in the instance of the command, unless it was not told; in the other after it has synchronized.
    if (commands.length === 1 && !wasCut) await matching(system, asked, models);
    await Promise.all(system.programs.map((program) => program.syncRevocations()));
    expected.models = await matching(system, system.programs, models);
  }

  toString(): string {
    return this.intents
      .map(({ do: kind, program, account, pick, isRight }) =>
        [kind, isRight ? '' : 'wrongly', `in ${program}`, `of ${account}`, `with ${pick}`].join(' '),
      )
      .join(' | ')
      .concat(this.cut ? `, cut ${this.cut.when} commit ${this.cut.nth}` : '');
  }
}

/** The permitted states: two concurrent commands may take effect in either order. */
function permitted(model: Model, commands: readonly Command[], outcomes: readonly Outcome[]): Model[] {
  if (outcomes[0] === 'unknown') return afterUnknown(model, commands[0]);
  const orders =
    commands.length === 1
      ? [[0]]
      : [
          [0, 1],
          [1, 0],
        ];
  return orders.flatMap(
    (order) =>
      order.reduce<Model | undefined>(
        (so, at) => so && after(so, commands[at], outcomes[at], model),
        model,
      ) ?? [],
  );
}

/** The observed states of all tokens and sessions. */
interface Observation {
  readonly accountStates: Readonly<Record<string, readonly TokenState[]>>;
  readonly keyStates: Readonly<Record<string, readonly TokenState[]>>;
  readonly sessions: readonly (readonly number[])[];
  /** The state that a concurrent command decides and that no token shows; `undefined` for a removed account. */
  readonly accounts: readonly (
    { readonly email: string; readonly hasReset: boolean; readonly hasFactor: boolean } | undefined
  )[];
}

async function matching(
  system: System,
  programs: readonly Instance[],
  models: readonly Model[],
): Promise<readonly Model[]> {
  const observed = await observe(system, programs, models[0]);
  const possible = models.filter((model) => isDeepStrictEqual(expectedOf(programs, model), observed));
  if (possible.length === 0) expect(observed).toEqual(expectedOf(programs, models[0]));
  return possible.filter(
    (model, at) => !possible.slice(0, at).some((earlier) => isDeepStrictEqual(model, earlier)),
  );
}

async function observe(
  { people }: System,
  programs: readonly Instance[],
  { access, keys }: Model,
): Promise<Observation> {
  const accountStates: Record<string, TokenState[]> = {};
  for (const { text } of access)
    accountStates[text] = await Promise.all(programs.map((program) => tokenState(program, text)));
  const keyStates: Record<string, TokenState[]> = {};
  for (const { text } of keys)
    keyStates[text] = await Promise.all(programs.map((program) => keyState(program, text)));
  const lists = people.map(({ id }) => programs[0].sessionsStore.list(id, { limit: 100, offset: 0 }));
  const sessions = (await Promise.all(lists)).map((rows) => rows.map(({ id }) => id));
  const rows = await Promise.all(people.map(({ id }) => programs[0].accountsStore.findById(id)));
  const factors = await Promise.all(people.map(({ id }) => programs[0].enrolments.list(id)));
  const accounts = rows.map(
    (row, at) =>
      row && {
        email: row.email,
        hasReset: row.passwordResetToken !== null,
        hasFactor: factors[at].some(({ kind }) => kind === 'totp'),
      },
  );
  return { accountStates, keyStates, sessions, accounts };
}

function expectedOf(programs: readonly Instance[], model: Model): Observation {
  const accountStates = model.access.map(({ text }) => [text, programs.map(() => stateOf(model, text))]);
  const sessions = model.accounts.map((_, account) => sessionsOf(model, account).toSorted((a, b) => a - b));
  const keyStates = model.keys.map(({ text }) => [text, programs.map(() => keyStateOf(model, text))]);
  return {
    accountStates: Object.fromEntries(accountStates),
    keyStates: Object.fromEntries(keyStates),
    sessions,
    accounts: model.accounts.map(({ isRemoved, email, reset, totp }) =>
      isRemoved ? undefined : { email, hasReset: reset !== undefined, hasFactor: totp !== undefined },
    ),
  };
}

function tokenState(program: Instance, token: string): Promise<TokenState> {
  return stateBy(() => callerOf(program, token));
}

function keyState({ keys }: Instance, key: string): Promise<TokenState> {
  return stateBy(() => keys.callerOf(key));
}

async function stateBy(check: () => Promise<object | undefined>): Promise<TokenState> {
  try {
    return (await check()) === undefined ? 'refused' : 'valid';
  } catch (error) {
    if (error instanceof AccountDisabledError) return 'disabled';
    throw error;
  }
}

class Pass implements fc.AsyncCommand<Expected, System> {
  constructor(private readonly ms: number) {}

  check = () => true;

  async run(expected: Expected, system: System): Promise<void> {
    for (const model of expected.models) moveTime(model, this.ms);
    system.time.pass(this.ms);
    await settle(expected, system);
  }

  toString = () => `${this.ms / SECOND} s pass`;
}

/** Instances synchronize regularly. */
async function settle(expected: Expected, { programs, ...system }: System): Promise<void> {
  for (const program of programs) await program.syncRevocations();
  expected.models = await matching({ programs, ...system }, programs, expected.models);
}

const others = [
  intentPair.map((two) => new Do(two)),
  intentPair.map((two) => new Do(two)),
  fc
    .constantFrom(SECOND, 9 * SECOND, 30 * SECOND, MINUTE, HOUR - MINUTE, HOUR, 5 * HOUR)
    .map((ms) => new Pass(ms)),
];

const cut = fc
  .record({ step: intent, when: fc.constantFrom('before', 'after'), nth: fc.constantFrom(1, 1, 2, 3, 4, 5) })
  .map(({ step, when, nth }) => new Do([step], { when, nth }));

function lives(...first: readonly fc.Arbitrary<Do>[]) {
  const single = intent.map((each) => new Do([each]));
  return fc.commands<Expected, System, false>([single, single, ...first, ...others], {
    maxCommands: 50,
    size: 'max',
  });
}

describe('sign-ins, factors, resets and keys, compared with a model (D17, D18, D19, D30, P3, P4, P20)', () => {
  const current = useAccountsDatabase(secondFactorsSchema);
  const lost = useLostConnections(current);
  afterEach(() => void vi.useRealTimers());

  async function counterexample(
    commands: ReturnType<typeof lives>,
    dbs: readonly [Database, Database],
    cutCommit: CutCommit,
  ) {
    const property = fc.asyncProperty(commands, async (life) => {
      const system = await makeSystem(...dbs, cutCommit);
      await fc.asyncModelRun(() => system, life);
    });
    const report = await fc.check(property, { numRuns, seed });
    return fc.asyncDefaultReportMessage(report);
  }

  it(
    `match it in ${numRuns} runs of two instances (seed ${seed})`,
    { timeout: numRuns * 10 * SECOND },
    async () => {
      const life = lives(intent.map((each) => new Do([each])));
      expect(await counterexample(life, [current.db, current.openAnother()], neverCut)).toBeUndefined();
    },
  );

  it(
    'match it where connections are lost before and after commits',
    { timeout: numRuns * 10 * SECOND },
    async ({ skip }) => {
      skip(process.env.TEST_DATABASE_URL === undefined, 'needs PostgreSQL');
      const dbs = [await lost.open(), await lost.open()] as const;
      expect(await counterexample(lives(cut), dbs, lost.cutCommit)).toBeUndefined();
    },
  );
});
