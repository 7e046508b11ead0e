import { createSecretKey } from 'node:crypto';
import { StoreUnavailableError, Repeat } from '@app/persistence';
import type { CompiledQuery, QueryResult } from 'kysely';
import { MailDeferredError, MailRefusedError, MailServerError } from '../../../libs/mail/src/errors.ts';
import type { MailTransport } from '../../../libs/mail/src/mail.ts';
import { Outbox } from '../../../libs/mail/src/outbox/outbox.ts';
import { MailSender } from '../../../libs/mail/src/sending/mail-sender.ts';
import { Fleet } from '../kernel/fleet.mts';
import { disturb } from '../kernel/nemesis.mts';
import type { Program } from '../kernel/program.mts';
import { SimulatedDatabase } from '../kernel/simulated-database.mts';
import type { Process, World } from '../kernel/world.mts';
import { altered, type Subject } from './subject.mts';

/** The time after which a program that began to send a mail is considered dead, as in the outbox. */
const CLAIM_MS = 600_000;
/** The largest difference between program clocks. It matters because a claim can end by a different program's clock. */
const SKEW_MS = 70_000;
/** The time for an undisturbed program to record a sent mail. */
const RECORD_MS = 60_000;
const GOOD_FOR_MS = 1_800_000;
const SMTP_TIMEOUT_MS = 20_000;
const KEYS = [createSecretKey(Buffer.alloc(32, 'a key of simulations'))] as const;

/** The observations of a mail from outside. */
interface Sent {
  readonly id: number;
  /** The time when a program last began to send the mail. */
  claimedAt: number;
  isRecorded: boolean;
  accepted: { readonly by: Process; readonly claimedAt: number; readonly isReplyLost: boolean } | undefined;
}

export const mails: Subject = {
  name: 'mails',
  claims: [
    'no program begins to send a mail that is recorded as sent',
    'a mail is sent twice only if the reply of the mail server was lost, or who sent it could not record it for ten minutes',
    'no mail waits longer than it is good for, and a claim',
  ],
  programHours: 4,
  leastMinutes: 50,
  faults: [
    {
      name: 'claim-for-all',
      what: 'a mail is claimed that another program has claimed meanwhile',
      alter: (query) =>
        altered(query, /^(update "mail" set "attempts".*) and "due_at" <= \?/, '$1 and ? is not null'),
    },
    { name: 'short-claim', what: 'a claim ends before the attempt does' },
    { name: 'forgotten-record', what: 'a program does not remember what it could not record' },
  ],
  begin(world, planted) {
    const claimed = new Map<string, Sent>();
    const outboxes = new Map<Program, Outbox>();
    world.onWrite = (process, query, result) => look(world, claimed, process, query, result);
    const fleet = new Fleet(world, (program) => {
      const claimMs = planted === 'short-claim' ? SMTP_TIMEOUT_MS / 4 : CLAIM_MS;
      const outbox = new Outbox(
        new SimulatedDatabase(program),
        KEYS,
        'example.com',
        claimMs,
        program.timing.wall,
      );
      outboxes.set(program, outbox);
      send(world, program, outbox, claimed, planted);
    });
    disturb(world, fleet, 20_000, 20 * 60_000);
    write(world, fleet, outboxes);
  },
};

function send(
  world: World,
  program: Program,
  outbox: Outbox,
  claimed: ReadonlyMap<string, Sent>,
  planted: string | undefined,
): void {
  const transport = smtpOf(world, program, claimed);
  const sender = new MailSender(outbox, transport, 2, () => {});
  if (planted === 'forgotten-record')
    Object.assign(sender, { recordSent: (id: number) => outbox.markSent(id).catch(() => undefined) });
  const sendDue = async (): Promise<void> => {
    try {
      await sender.sendDue();
    } catch (error) {
      world.check(error instanceof StoreUnavailableError, () => `sending failed: ${String(error)}`);
    }
  };
  new Repeat(sendDue, 1_000, program.timing).start();
}

/** A mail server that takes its time, and sometimes fails. */
function smtpOf(world: World, program: Program, claimed: ReadonlyMap<string, Sent>): MailTransport {
  const { random } = world;
  return {
    send: ({ messageId }) =>
      new Promise((resolve, reject) => {
        const isSlow = random.chance(0.05);
        const ms = isSlow ? random.between(1_000, SMTP_TIMEOUT_MS) : random.between(50, 500);
        world.events.after(ms, () => {
          const outcome = random.next();
          if (outcome < 0.04) return program.after(0, () => reject(new MailDeferredError('451')));
          if (outcome < 0.05) return program.after(0, () => reject(new MailRefusedError('550')));
          if (outcome < 0.08) return program.after(0, () => reject(new MailServerError('ETIMEDOUT')));
          const isReplyLost = outcome < 0.09;
          accept(world, program, claimed.get(messageId), isReplyLost);
          if (isReplyLost) program.after(SMTP_TIMEOUT_MS, () => reject(new MailServerError('ETIMEDOUT')));
          else program.after(20, resolve);
        });
      }),
  };
}

function accept(world: World, program: Program, sent: Sent | undefined, isReplyLost: boolean): void {
  if (sent === undefined)
    return world.check(false, () => `${program.machine.name} sent a mail without a claim`);
  const { id, accepted: before, claimedAt } = sent;
  sent.accepted = { by: program, claimedAt, isReplyLost };
  world.note(`${program.machine.name} sent mail ${id}${isReplyLost ? ', the reply is lost' : ''}`);
  if (before === undefined || before.isReplyLost) return world.check(true, String);
  const hasExpired = claimedAt - before.claimedAt >= CLAIM_MS - SKEW_MS;
  const couldRecord = before.by.isAlive && world.isWellSince(before.by.machine, claimedAt - RECORD_MS);
  world.check(hasExpired && !couldRecord, () => {
    const seconds = ((claimedAt - before.claimedAt) / 1_000).toFixed(0);
    return `${program.machine.name} sent mail ${id} again, ${seconds} s after ${before.by.machine.name}`;
  });
}

/** Follows the committed changes to mails. */
function look(
  world: World,
  claimed: Map<string, Sent>,
  process: Process,
  { sql, parameters }: CompiledQuery,
  { rows }: QueryResult<unknown>,
): void {
  if (sql.startsWith('update "mail" set "sealed"')) {
    const id = Number(parameters.at(-1));
    for (const sent of claimed.values()) if (sent.id === id) sent.isRecorded = true;
  }
  if (!sql.startsWith('update "mail" set "attempts"')) return;
  for (const row of rows) {
    const { id, messageId }: { id?: unknown; messageId?: unknown } = Object(row);
    const key = String(messageId);
    const sent = claimed.get(key) ?? { id: Number(id), claimedAt: 0, isRecorded: false, accepted: undefined };
    world.check(!sent.isRecorded, () => `${process.machine.name} claims mail ${sent.id}, which was recorded`);
    sent.claimedAt = world.events.now;
    claimed.set(key, sent);
    world.focus = process.machine;
  }
}

/** Has programs write mails to a few recipients, for a few causes. */
function write(world: World, fleet: Fleet, outboxes: ReadonlyMap<Program, Outbox>): void {
  const { events, random } = world;
  let mailCount = 0;
  const next = (): void =>
    events.after(random.exponential(5_000), () => {
      next();
      const [first, ...others] = fleet.running;
      if (first === undefined) return;
      const program = random.pick([first, ...others]);
      const outbox = outboxes.get(program);
      mailCount += 1;
      if (outbox) void add(world, fleet, outbox, new SimulatedDatabase(program), mailCount);
    });
  next();
}

async function add(
  world: World,
  fleet: Fleet,
  outbox: Outbox,
  db: SimulatedDatabase,
  number: number,
): Promise<void> {
  const { random, events, server } = world;
  const text = { subject: String(number), text: '', html: '' };
  const mail = {
    kind: 'notice',
    recipient: `user-${random.below(20)}@example.com`,
    cause: `cause ${random.below(5)}`,
  };
  try {
    await outbox.add({ ...mail, ...text, goodForMs: GOOD_FOR_MS }, db);
  } catch {
    return;
  }
  events.after(GOOD_FOR_MS + CLAIM_MS + 2 * SKEW_MS, () => {
    const isAnyWell = fleet.running.some(({ machine }) =>
      world.isWellSince(machine, events.now - CLAIM_MS - 2 * SKEW_MS),
    );
    if (!isAnyWell) return;
    const waiting = server.engine.count(
      `select count(*) as n from mail where message_id is not null and due_at is not null and created_at < ${Math.floor(world.serverWall() - GOOD_FOR_MS - CLAIM_MS - 4 * SKEW_MS)}`,
    );
    world.check(waiting === 0, () => `${waiting} mails wait longer than they are good for`);
  });
}
