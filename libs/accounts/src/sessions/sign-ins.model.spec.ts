import { isDeepStrictEqual } from 'node:util';
import { type Database } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import * as fc from 'fast-check';
import { type Command, type Outcome, perform, type Person, whoIs } from '../../testing/commands';
import { HeldTime } from '../../testing/held-time';
import { type ProgramParts, programParts } from '../../testing/program-parts';
import {
  after,
  beginning,
  type Model,
  moveTime,
  sessionsOf,
  stateOf,
  type TokenState,
} from '../../testing/sign-in-model';
import { deedOf, twoWishes, type Wish, expectation } from '../../testing/expectations';
import { AccountDisabledError } from '../errors';

/** `MODEL_RUNS=5000 MODEL_SEED=7 npx vitest run libs/accounts/src/sessions` looks longer, and looks again. */
const numRuns = Number(process.env.MODEL_RUNS ?? 25);
const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Two programs on one store, the people who use them, and what we know of all that. */
interface World {
  readonly programs: readonly [ProgramParts, ProgramParts];
  readonly people: readonly Person[];
  readonly time: HeldTime;
}

interface Known {
  model: Model;
  /** When the clock was set last, by the one that nobody sets. */
  steppedAt: number;
}

let runs = 0;

async function makeWorld(db: Database, other: Database): Promise<World & Known> {
  const time = new HeldTime();
  time.hold();
  const programs = [programParts(db, time), programParts(other, time)] as const;
  const passwords = ['the phrase of ada', 'the phrase of bob'];
  const people: Person[] = [];
  for (const password of passwords) {
    const email = `${people.length}.${(runs += 1)}@example.com`;
    people.push({ email, id: (await programs[0].accounts.signUp({ email, password })).id });
  }
  for (const program of programs) await program.clock.read(db);
  return { programs, people, time, model: beginning(time.shown, passwords), steppedAt: -HOUR };
}

/** One command, or two at once. */
class Do implements fc.AsyncCommand<Known, World> {
  constructor(private readonly expectations: readonly Wish[]) {}

  check({ model }: Known): boolean {
    return this.expectations.every((each) => deedOf(each, model) !== undefined);
  }

  async run(known: Known, world: World): Promise<void> {
    const commands = this.expectations.flatMap((each) => deedOf(each, known.model) ?? []);
    const asked = this.expectations.map(({ program }) => world.programs[program]);
    const outcomes = await Promise.all(
      commands.map((command, at) => perform(asked[at], world.people, command)),
    );
    const models = possible(known.model, commands, outcomes);
    if (models.length === 0) throw new Error(`cannot be: ${JSON.stringify({ commands, outcomes })}`);
    // At once in the program that was asked, and in the other as soon as it hears of it.
    if (commands.length === 1) await matching(world, asked, models);
    await Promise.all(world.programs.map((program) => program.hear()));
    known.model = await matching(world, world.programs, models);
  }

  toString(): string {
    return this.expectations
      .map(({ do: kind, program, account, pick, isRight }) =>
        [kind, isRight ? '' : 'wrongly', `in ${program}`, `of ${account}`, `with ${pick}`].join(' '),
      )
      .join(' | ');
  }
}

/** What may be when all is done: of two commands at once either may have been the first. */
function possible(model: Model, commands: readonly Command[], outcomes: readonly Outcome[]): Model[] {
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

/** What programs say of every token and every session. */
interface Sight {
  readonly accountStates: Readonly<Record<string, readonly TokenState[]>>;
  readonly sessions: readonly (readonly number[])[];
}

async function matching(
  world: World,
  programs: readonly ProgramParts[],
  models: readonly Model[],
): Promise<Model> {
  const found = await look(world, programs, models[0]);
  const expected = models.map((model) => foresee(programs, model));
  const at = expected.findIndex((each) => isDeepStrictEqual(each, found));
  if (at === -1) expect(found).toEqual(expected[0]);
  return models[Math.max(0, at)];
}

async function look({ people }: World, programs: readonly ProgramParts[], { access }: Model): Promise<Sight> {
  const accountStates: Record<string, TokenState[]> = {};
  for (const { text } of access)
    accountStates[text] = await Promise.all(programs.map((program) => tokenState(program, text)));
  const lists = people.map(({ id }) => programs[0].sessionsStore.list(id, { limit: 100, offset: 0 }));
  const sessions = (await Promise.all(lists)).map((rows) => rows.map(({ id }) => id));
  return { accountStates, sessions };
}

function foresee(programs: readonly ProgramParts[], model: Model): Sight {
  const accountStates = model.access.map(({ text }) => [text, programs.map(() => stateOf(model, text))]);
  const sessions = model.accounts.map((_, account) => sessionsOf(model, account).toSorted((a, b) => a - b));
  return { accountStates: Object.fromEntries(accountStates), sessions };
}

async function tokenState(program: ProgramParts, token: string): Promise<TokenState> {
  try {
    return (await whoIs(program, token)) === undefined ? 'refused' : 'stands';
  } catch (error) {
    if (error instanceof AccountDisabledError) return 'disabled';
    throw error;
  }
}

class Pass implements fc.AsyncCommand<Known, World> {
  constructor(private readonly ms: number) {}

  check = () => true;

  async run(known: Known, world: World): Promise<void> {
    moveTime(known.model, this.ms, 0);
    world.time.pass(this.ms);
    await settle(known, world);
  }

  toString = () => `${this.ms / SECOND} s pass`;
}

class Step implements fc.AsyncCommand<Known, World> {
  constructor(private readonly ms: number) {}

  /** How long ago a turn is that two steps lie behind, nobody can tell. */
  check({ model, steppedAt }: Known): boolean {
    return model.counted - steppedAt > 10 * SECOND;
  }

  async run(known: Known, world: World): Promise<void> {
    moveTime(known.model, 0, this.ms);
    known.steppedAt = known.model.counted;
    world.time.step(this.ms);
    await settle(known, world);
  }

  toString = () => `the clock is set by ${this.ms / SECOND} s`;
}

/** Programs look at their clocks now and then, and hear from their log. */
async function settle(known: Known, { programs, ...world }: World): Promise<void> {
  for (const program of programs) {
    await program.clock.read({} as Database);
    await program.hear();
  }
  known.model = await matching({ programs, ...world }, programs, [known.model]);
}

const commands = fc.commands<Known, World, false>(
  [
    expectation.map((one) => new Do([one])),
    expectation.map((one) => new Do([one])),
    expectation.map((one) => new Do([one])),
    twoWishes.map((two) => new Do(two)),
    twoWishes.map((two) => new Do(two)),
    fc
      .constantFrom(SECOND, 9 * SECOND, 11 * SECOND, 30 * SECOND, MINUTE, HOUR, 5 * HOUR)
      .map((ms) => new Pass(ms)),
    fc.constantFrom(-HOUR, HOUR).map((ms) => new Step(ms)),
  ],
  { maxCommands: 50, size: 'max' },
);

describe('sign-ins, whatever happens to them (D17, D18, D19, P3, P4)', () => {
  const current = useMigratedDatabase();
  afterEach(() => void vi.useRealTimers());

  it(
    `are what they ought to be, in ${numRuns} lives of two programs (seed ${seed})`,
    { timeout: numRuns * 10 * SECOND },
    async () => {
      const [db, other] = [current.db, current.openAnother()];
      const property = fc.asyncProperty(commands, async (life) => {
        const { model, steppedAt, ...world } = await makeWorld(db, other);
        await fc.asyncModelRun(() => ({ model: { model, steppedAt }, real: world }), life);
      });
      const report = await fc.check(property, { numRuns, seed });
      expect(await fc.asyncDefaultReportMessage(report)).toBeUndefined();
    },
  );
});
