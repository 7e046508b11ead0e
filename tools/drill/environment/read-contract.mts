import { DatabaseSync } from 'node:sqlite';
import { findSignUp, isOfAccounts } from '../../attack/target/accounts.mts';
import { findSignIn } from '../../attack/target/callers.mts';
import { idIn, isMemberOf, parametersIn } from '../../attack/target/members.mts';
import { requestOf, validBody } from '../../attack/target/requests.mts';
import { takesBearer, type Operation, readOperations } from '../../attack/openapi/openapi.mts';
import { type Answer, jsonAttempt } from '../../attack/wire/exchange.mts';
import { Wire } from '../../attack/wire/wire.mts';
import { signIn } from '../callers/callers.mts';
import { type Contract, type Creation, Lacking, type Subject, type Table } from '../callers/contract.mts';
import { isSuccess } from '../callers/load.mts';
import { openEnvironment } from './drill-environment.mts';
import { execute } from './from-outside.mts';

/** Sends an administrator request, which is a POST if it has a body. */
type Send = (request: Pick<Creation, 'path'> & Partial<Creation>) => Promise<Answer>;

/** A program that runs for the search. */
interface Searched {
  readonly operations: readonly Operation[];
  readonly send: Send;
  /** The SQLite URL as in `DATABASE_URL`. */
  readonly databaseUrl: string;
}

/**
 * Finds the parts that drills use, by starting the application on a separate store and trying its OpenAPI operations.
 *
 * @param main the application's `main.js`
 */
export async function readContract(main: string): Promise<Contract> {
  const environment = await openEnvironment('sqlite', { main, isQuick: true, contract: without('it') });
  try {
    const { url } = await environment.start();
    const operations = readOperations(await (await fetch(`${url}/openapi.json`)).text());
    const { pathname } = new URL(url);
    const prefix = pathname === '/' ? '' : pathname;
    if (!findSignIn(operations)) return { ...without('a route to sign in'), prefix };
    const wire = new Wire(new URL(url));
    const headers = { authorization: `Bearer ${await signIn(url)}` };
    const send: Send = ({ path, body }) => wire.send(jsonAttempt(body ? 'POST' : 'GET', path, body, headers));
    const contract = await search({ operations, send, databaseUrl: environment.store.url });
    wire.close();
    return { ...contract, prefix };
  } finally {
    await environment.close(false);
  }
}

/** Returns the contract for an application that lacks the wanted part, and therefore every part. */
export function without(wanted: string): Contract {
  const lacking = new Lacking(wanted);
  return { prefix: '', newUser: lacking, subject: lacking, table: lacking };
}

async function search(searched: Searched): Promise<Omit<Contract, 'prefix'>> {
  const signUp = findSignUp(searched.operations);
  const newUser = signUp ? () => Object(validBody(signUp)) : new Lacking('a route to sign up');
  const ranked: { readonly subject: Subject; readonly rank: number }[] = [];
  for (const operation of creations(searched.operations)) {
    const subject = subjectOf(operation, searched.operations);
    if (!subject) continue;
    const rank = await rankOf(subject, operation, searched.send);
    if (rank !== undefined) ranked.push({ subject, rank });
  }
  const [best] = ranked.toSorted((left, right) => right.rank - left.rank);
  const lacking = new Lacking(
    'a resource that an administrator can create, read by id and list, as its OpenAPI document describes them',
  );
  if (!best) return { newUser, subject: lacking, table: lacking };
  return { newUser, subject: best.subject, table: await tableOf(best.subject, searched) };
}

/** Returns the operations that create application resources. Excludes accounts. */
function creations(operations: readonly Operation[]): readonly Operation[] {
  const [, ofSignIn = ''] = /^(.*\/)/.exec(findSignIn(operations)?.operation.path ?? '') ?? [];
  return operations.filter(
    (operation) =>
      operation.method === 'POST' &&
      operation.body !== undefined &&
      takesBearer(operation) &&
      !operation.path.includes('{') &&
      !isOfAccounts(operation) &&
      !(ofSignIn.length > 1 && operation.path.startsWith(ofSignIn)),
  );
}

function subjectOf(operation: Operation, operations: readonly Operation[]): Subject | undefined {
  const { path: collection } = operation;
  const reads = operations.filter(({ method }) => method === 'GET');
  const list = reads.find(({ path }) => path === collection);
  const member = reads.find((candidate) => isMemberOf(candidate, collection));
  const listed = list && requestOf(list);
  const path = requestOf(operation)?.path;
  if (!member || !listed || path === undefined) return undefined;
  const [parameter = 'id'] = parametersIn(member.path);
  return {
    list: listed.path,
    create: () => ({ path, body: Object(validBody(operation)) }),
    pathOf: (created) => {
      const id = idIn(created, parameter);
      return id === undefined ? undefined : requestOf(member, { path: { [parameter]: id } })?.path;
    },
  };
}

/** Ranks a subject. Detecting duplicates and creation by any caller raise the rank; `undefined` if it does not work. */
async function rankOf(subject: Subject, operation: Operation, send: Send): Promise<number | undefined> {
  const [first, second] = [subject.create(), subject.create()];
  for (const attempt of [first, second]) {
    const created = await send(attempt);
    const path = subject.pathOf(created);
    if (!isSuccess(created.status) || path === undefined) return undefined;
    if ((await send({ path })).status !== 200) return undefined;
  }
  if ((await send({ path: subject.list })).status !== 200) return undefined;
  const isUnique = (await send(first)).status === 409;
  return (isUnique ? 2 : 0) + (operation.security.some(({ roles }) => roles.length === 0) ? 1 : 0);
}

/** Finds the table that gains a row after a creation, and that the list needs. */
async function tableOf(subject: Subject, searched: Searched): Promise<Table | Lacking> {
  const { send, databaseUrl } = searched;
  const before = countRows(databaseUrl);
  await send(subject.create());
  const grown = [...countRows(databaseUrl)].filter(([name, rows]) => rows > (before.get(name) ?? 0));
  for (const [name] of grown) {
    await execute(databaseUrl, `alter table "${name}" rename to "${name}_away"`);
    const isNeeded = (await send({ path: subject.list })).status === 500;
    const otherPath = isNeeded ? await otherRead(subject, searched) : undefined;
    await execute(databaseUrl, `alter table "${name}_away" rename to "${name}"`);
    if (otherPath !== undefined) return { name, other: otherPath };
  }
  return new Lacking('a table that is read by a list of its rows alone');
}

/** Finds a read that works without the table. Prefers application resources to accounts. */
async function otherRead({ list }: Subject, { operations, send }: Searched): Promise<string | undefined> {
  const reads = operations.filter(
    (operation) =>
      operation.method === 'GET' &&
      operation.answer &&
      takesBearer(operation) &&
      !operation.path.includes('{'),
  );
  const own = new Set(creations(operations).map(({ path }) => path));
  for (const operation of reads.toSorted(
    (left, right) => Number(own.has(right.path)) - Number(own.has(left.path)),
  )) {
    const path = requestOf(operation)?.path ?? list;
    if (path !== list && (await send({ path })).status === 200) return path;
  }
  return undefined;
}

function countRows(databaseUrl: string): ReadonlyMap<string, number> {
  const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { readOnly: true });
  const names = database.prepare(`select name from sqlite_master where type = 'table'`).all();
  const counts = names.map(({ name }): [string, number] => {
    const { rows } = Object(database.prepare(`select count(*) as rows from "${String(name)}"`).get());
    return [String(name), Number(rows)];
  });
  database.close();
  return new Map(counts);
}
