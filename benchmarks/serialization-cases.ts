import { deepStrictEqual } from 'node:assert/strict';
import { ClassSerializerInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Exclude, Expose, instanceToPlain, plainToInstance, Transform, Type } from 'class-transformer';
import fastJson from 'fast-json-stringify';
import { responseWriter } from '../libs/engine/src/serialization/run/response-writer';
import { compileSerializer } from '../libs/engine/src/serialization/run/compile-serializer';
import { dateText } from '../libs/engine/src/serialization/emit/text/iso-date';
import { quote } from '../libs/engine/src/serialization/emit/text/quote';
import { ClassSerializerInterceptor as CompiledInterceptor } from '../libs/engine/src/nest/class-serializer.interceptor';
import type { Subject } from './measure';

@Exclude()
class UserView {
  @Expose() id!: number;
  @Expose() email!: string;
  passwordHash!: string;
  passwordResetToken!: string | null;
  role!: string;
  lastLoginIp!: string;
  firstName!: string;
  lastName!: string;
}

class AccountView {
  id!: number;
  name!: string;
  email!: string;
  createdAt!: Date;
  @Transform(({ value }: { value: string }) => mask(value))
  apiKey!: string;
  @Exclude()
  password!: string;
}

@Exclude()
class PostView {
  @Expose() id!: number;
  @Expose() slug!: string;
  @Expose() authorId!: number | null;
  @Expose() createdAt!: Date;
  draft!: string;
}

class MemberView {
  @Expose({ name: 'key' }) id!: number;
  email!: string;
  @Expose({ groups: ['admin'] }) role!: string;
}

@Exclude()
class LineView {
  @Expose() sku!: string;
  @Expose() quantity!: string;
}

class LineInput {
  sku!: string;
  quantity!: string;
}

@Exclude()
class OrderView {
  @Expose() id!: number;
  @Expose() @Type(() => LineView) items!: LineView[];
  @Expose() createdAt!: Date;
}

/** The baseline of all ratios. */
export const BASELINE = 'class-transformer + JSON.stringify';

/** A case. All subjects must have the same result. */
export interface Case {
  readonly name: string;
  readonly subjects: Readonly<Record<string, Subject>>;
  /**
   * The subjects that are faster because they mask nothing. Their results are unchecked, and they are excluded from the goals.
   */
  readonly unlike: Readonly<Record<string, Subject>>;
  /**
   * Compares the results.
   *
   * @throws AssertionError if a subject has a different result
   */
  check(): void;
}

export function cases(): Case[] {
  return [
    oneView(),
    ...[1, 100, 10_000].map(listOfViews),
    rowsOfAStore(),
    linesOfAnotherClass(),
    ...[1, 5, 20, 200].map(varyingKeys),
    ...[0, 100].map(amongOthers),
  ];
}

function oneView(): Case {
  const view = Object.assign(new UserView(), {
    id: 4711,
    email: 'ada.lovelace@example.com',
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    passwordResetToken: null,
    role: 'user',
    lastLoginIp: '203.0.113.7',
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
  const schema = fastJson({
    type: 'object',
    properties: { id: { type: 'integer' }, email: { type: 'string' } },
  });
  const ours = compileSerializer(UserView);
  return madeOf('one view of 8 fields, 2 exposed', view, {
    'JSON.stringify of a hand-written object': () => JSON.stringify({ id: view.id, email: view.email }),
    'fast-json-stringify': () => schema(view),
    'concatenated text, by hand': () => `{"id":${view.id},"email":${quote(view.email)}}`,
    'compiled, toPlain + JSON.stringify': () => JSON.stringify(ours.toPlain(view)),
    compiled: () => ours.write(view),
  });
}

function listOfViews(length: number): Case {
  const views = Array.from({ length }, (_, at) => accountView(at));
  const schema = fastJson({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        email: { type: 'string' },
        createdAt: { type: 'string', format: 'date-time' },
        apiKey: { type: 'string' },
      },
    },
  });
  const ours = compileSerializer(AccountView);
  const unlike = { 'fast-json-stringify, nothing masked': () => schema(views) };
  const name = `${length} views with a date and a masked key`;
  const subjects = {
    'JSON.stringify of hand-written objects': () => JSON.stringify(views.map(viewByHand)),
    'fast-json-stringify, masked by hand': () => schema(views.map(viewByHand)),
    'concatenated text, by hand': () => `[${views.map(textByHand).join(',')}]`,
    'concatenated text with +=, by hand': () => addedUp(views),
    'compiled, toPlain + JSON.stringify': () => JSON.stringify(ours.toPlain(views)),
    compiled: () => ours.write(views),
  };
  return { ...madeOf(name, views, subjects), unlike };
}

/** Creates a case with a plain row, for the class that its route declares. */
function rowsOfAStore(): Case {
  const rows = Array.from({ length: 100 }, (_, at) => ({
    id: at + 1,
    slug: `a-post-of-some-length-${at}`,
    authorId: at % 7,
    createdAt: new Date(1_760_000_000_000 + at * 7_919_333),
    draft: 'never sent',
  }));
  const answers = responseWriter(PostView, {});
  const schema = fastJson({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        slug: { type: 'string' },
        authorId: { type: 'integer', nullable: true },
        createdAt: { type: 'string', format: 'date-time' },
      },
    },
  });
  const asInstances = () => JSON.stringify(instanceToPlain(plainToInstance(PostView, rows)));
  const subjects: Record<string, Subject> = {
    [BASELINE]: asInstances,
    'fast-json-stringify': () => schema(rows),
    'compiled, answers': () => answers.write(rows),
  };
  return {
    name: '100 rows of 5 columns, 4 exposed',
    subjects,
    unlike: {},
    check: () => checkAll(subjects, asInstances()),
  };
}

/** Creates a case with an order from a validated body. Its lines are instances of the input class. */
function linesOfAnotherClass(): Case {
  const items = Array.from({ length: 10 }, (_, at) =>
    Object.assign(new LineInput(), { sku: `SKU-${at}`, quantity: String(at + 1) }),
  );
  const order = { id: 4711, accountId: 1, items, createdAt: new Date(1_760_000_000_000) };
  const schema = fastJson({
    type: 'object',
    properties: {
      id: { type: 'integer' },
      items: {
        type: 'array',
        items: { type: 'object', properties: { sku: { type: 'string' }, quantity: { type: 'string' } } },
      },
      createdAt: { type: 'string', format: 'date-time' },
    },
  });
  const { write } = responseWriter(OrderView, {});
  const asInstances = () => JSON.stringify(instanceToPlain(plainToInstance(OrderView, order)));
  const subjects: Record<string, Subject> = {
    [BASELINE]: asInstances,
    'fast-json-stringify': () => schema(order),
    'compiled, answers': () => write(order),
  };
  return {
    name: 'an order with 10 lines of another class',
    subjects,
    unlike: {},
    check: () => checkAll(subjects, asInstances()),
  };
}

/** Creates a case with views in which a store fills some fields, with `combinations` different key sets. */
function varyingKeys(combinations: number): Case {
  const chance = seeded(7);
  const names = Array.from({ length: 14 }, (_, at) => `field${at}`);
  const sets = Array.from({ length: combinations }, () => names.filter(() => chance() < 0.6));
  class SparseView {
    @Expose({ name: 'key' }) id!: number;
    @Exclude() secret!: string;
  }
  const views = Array.from({ length: 200 }, (_, at) => {
    const members = sets[at % combinations]!.map((name, field) => [name, field % 2 ? at : `text ${at}`]);
    return Object.assign(new SparseView(), { id: at, ...Object.fromEntries(members), secret: 'never sent' });
  });
  const ours = compileSerializer(SparseView);
  return madeOf(`200 views of up to 14 fields, ${combinations} combinations of keys`, views, {
    'compiled, toPlain + JSON.stringify': () => JSON.stringify(ours.toPlain(views)),
    compiled: () => ours.write(views),
  });
}

/** Creates a case in a program that also sends further classes with decorator options. */
function amongOthers(count: number): Case {
  const others = Array.from({ length: count }, (_, at) => {
    class Other {
      @Expose({ name: `key${at}` }) id = at;
      @Expose({ groups: ['admin'] }) name = 'other';
      @Transform(({ value }: { value: string }) => mask(value), { toPlainOnly: true }) secret = 'secret text';
    }
    return new Other();
  });
  const views = Array.from({ length: 100 }, (_, at) =>
    Object.assign(new MemberView(), { id: at, email: `ada.lovelace.${at}@example.com`, role: 'user' }),
  );
  const interceptor = new CompiledInterceptor(new Reflector());
  const ours = compileSerializer(MemberView);
  for (const view of others) interceptor.serialize(view, {});
  return madeOf(`100 views, ${count} other classes were sent`, views, {
    'compiled interceptor + JSON.stringify': () => JSON.stringify(interceptor.serialize(views, {})),
    compiled: () => ours.write(views),
  });
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function accountView(at: number): AccountView {
  return Object.assign(new AccountView(), {
    id: at + 1,
    name: `Ada Lovelace ${at}`,
    email: `ada.lovelace.${at}@example.com`,
    createdAt: new Date(1_760_000_000_000 + at * 7_919_333),
    apiKey: `sk_live_${String(at).padStart(16, '0')}`,
    password: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
  });
}

function mask(secret: string): string {
  return `${secret.slice(0, 2)}***${secret.slice(-2)}`;
}

function viewByHand({ id, name, email, createdAt, apiKey }: AccountView) {
  return { id, name, email, createdAt, apiKey: mask(apiKey) };
}

function textByHand({ id, name, email, createdAt, apiKey }: AccountView): string {
  return `{"id":${id},"name":${quote(name)},"email":${quote(email)},"createdAt":${dateText(createdAt.getTime())},"apiKey":${quote(mask(apiKey))}}`;
}

function addedUp(views: readonly AccountView[]): string {
  let text = '';
  for (const view of views) text += (text === '' ? '[' : ',') + textByHand(view);
  return `${text}]`;
}

/** Creates a case. class-transformer and the interceptor come first, and all further subjects must match them. */
function madeOf(name: string, value: object | object[], others: Record<string, Subject>): Case {
  const interceptor = new ClassSerializerInterceptor(new Reflector(), { transformerPackage: transformer });
  const subjects: Record<string, Subject> = {
    [BASELINE]: () => JSON.stringify(instanceToPlain(value)),
    'stock interceptor + JSON.stringify': () => JSON.stringify(interceptor.serialize(value, {})),
    ...others,
  };
  const expected = JSON.stringify(instanceToPlain(value));
  return {
    name,
    subjects,
    unlike: {},
    check: () => checkAll(subjects, expected),
  };
}

function checkAll(subjects: Readonly<Record<string, Subject>>, expected: string): void {
  for (const [subject, answer] of Object.entries(subjects))
    deepStrictEqual([subject, answer()], [subject, expected]);
}

function refuse(): never {
  throw new TypeError('a response is never read back');
}

const transformer = {
  classToPlain: instanceToPlain,
  instanceToPlain,
  plainToInstance: refuse,
  plainToClass: refuse,
};
