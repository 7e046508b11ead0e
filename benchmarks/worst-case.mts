import '../scripts/load-sources.mts';
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import type { ValidationPipeOptions } from '@nestjs/common';
import type { Subject } from './measure.ts';

/**
 * Compares the compiled functions with the libraries where they gain least, beside 100 more classes: `npm run bench -- worst`.
 * `--quick` takes a few seconds. `--json` prints the ratios for programs. The exit code is 1 if a ratio is below its floor.
 */
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

// The shapes are loaded first, so that they observe each decorator.
const engine = await import('../libs/engine/src/index.ts');
const transformer = await import('class-transformer');
const validator = await import('class-validator');
const nest = await import('@nestjs/common');

/** A comparison, and the minimum factor by which ours must be faster. */
interface Case {
  readonly name: string;
  readonly floor: number;
  readonly ours: Subject;
  readonly theirs: Subject;
}

/** Returns the processor time of a call in nanoseconds. If the result is a promise, it is awaited. */
async function costOf(subject: Subject, calls: number): Promise<number> {
  const before = process.threadCpuUsage();
  for (let at = 0; at < calls; at++) {
    const result = subject();
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.threadCpuUsage(before);
  return ((user + system) * 1000) / calls;
}

async function callsFor(subject: Subject, milliseconds: number): Promise<number> {
  let calls = 1;
  while ((await costOf(subject, calls)) * calls < milliseconds * 1e6) calls *= 2;
  return calls;
}

/** Alternates both sides, so that other work on the machine affects them equally. */
async function compare({ name, floor, ours, theirs }: Case, rounds: number, milliseconds: number) {
  const calls = [await callsFor(ours, milliseconds), await callsFor(theirs, milliseconds)] as const;
  const costs: [ours: number, theirs: number][] = [];
  for (let round = 0; round < rounds; round++)
    costs.push([await costOf(ours, calls[0]), await costOf(theirs, calls[1])]);
  const best = ([0, 1] as const).map((side) => Math.min(...costs.map((cost) => cost[side])));
  const [own = 0, library = 0] = best;
  const ratio = library / own;
  return { name, floor, ratio, ours: own, theirs: library, isMet: ratio >= floor };
}

type Fields = Readonly<Record<string, PropertyDecorator[]>>;

function declare<Type extends Function>(type: Type, fields: Fields): Type {
  for (const [name, decorators] of Object.entries(fields))
    for (const decorate of decorators) decorate(type.prototype as object, name);
  return type;
}

/** Declares other classes of a program. The libraries search them, and V8 has seen their shapes. */
function declareCompany(): void {
  for (let at = 0; at < 100; at++) {
    const type = declare(class Company {}, {
      [`id${at % 7}`]: [validator.IsInt(), transformer.Expose()],
      [`name${at}`]: [validator.IsString(), transformer.Expose()],
    });
    const value = { [`id${at % 7}`]: at, [`name${at}`]: 'name' };
    engine.validateSync(engine.plainToInstance(type, value) as object);
    engine.instanceToPlain(Object.assign(new type(), value));
  }
}
declareCompany();

const pipeOptions: ValidationPipeOptions = { transform: true, whitelist: true };

function pipeCase(name: string, floor: number, type: new () => object, body: object): Case {
  const metadata = { type: 'body', metatype: type } as const;
  // Nest's pipes share the libraries of the pipe that was created last.
  const ours = new engine.ValidationPipe(pipeOptions);
  const theirs = new nest.ValidationPipe({
    ...pipeOptions,
    validatorPackage: validator,
    transformerPackage: transformer,
  });
  return {
    name,
    floor,
    ours: () => ours.transform(body, metadata),
    theirs: () => theirs.transform(body, metadata),
  };
}

const settings = {
  theme: 'dark',
  sizes: [1, 2, 3],
  nested: { on: true, labels: ['a', 'b'], deep: { limit: 10, unit: 'px' } },
  list: [
    { id: 1, name: 'first' },
    { id: 2, name: 'second' },
  ],
};

const WithObject = declare(class WithObject {}, {
  name: [validator.IsString()],
  settings: [validator.IsObject()],
});
const WithList = declare(class WithList {}, { name: [validator.IsString()], list: [validator.IsArray()] });

class Circle {}
class Square {}
declare(Circle, { radius: [transformer.Expose()] });
declare(Square, { side: [transformer.Expose()] });
const byKind = transformer.Type(() => Object, {
  discriminator: {
    property: 'kind',
    subTypes: [
      { value: Circle, name: 'circle' },
      { value: Square, name: 'square' },
    ],
  },
});
const Drawing = declare(class Drawing {}, {
  id: [transformer.Expose()],
  name: [transformer.Expose()],
  shape: [transformer.Expose(), byKind],
  shapes: [transformer.Expose(), byKind],
});
transformer.Exclude()(Drawing);
const drawing = Object.assign(new Drawing(), {
  id: 1,
  name: 'first',
  shape: Object.assign(new Circle(), { radius: 3 }),
  shapes: [
    Object.assign(new Circle(), { radius: 1 }),
    Object.assign(new Square(), { side: 2 }),
    Object.assign(new Circle(), { radius: 5 }),
  ],
});

function outputCase(name: string, floor: number, rows: readonly object[]): Case {
  let at = 0;
  const next = () => rows[(at = (at + 1) % rows.length)];
  return {
    name,
    floor,
    ours: () => engine.instanceToPlain(next()),
    theirs: () => transformer.instanceToPlain(next()),
  };
}

/** Creates rows with members that no decorator declares, in this many key sets. */
function undeclaredRows(keySets: number): object[] {
  const Row = declare(class Row {}, { secret: [transformer.Exclude()], id: [transformer.Expose()] });
  return Array.from({ length: keySets }, (_, at) =>
    Object.assign(new Row(), {
      id: at,
      name: 'name',
      secret: 'secret',
      [`key${at}`]: at,
      [`also${at % 10}`]: 'text',
    }),
  );
}

/** Creates rows for a closed class with optional fields, in this many field combinations. */
function optionalRows(combinations: number): object[] {
  const names = Array.from({ length: 10 }, (_, at) => `field${at}`);
  const Optional = declare(
    class Optional {},
    Object.fromEntries(names.map((name) => [name, [transformer.Expose()]])),
  );
  transformer.Exclude()(Optional);
  return Array.from({ length: combinations }, (_, at) => {
    const present = names.filter((_name, bit) => ((at * 7 + 1) >> bit) % 2 === 1);
    return Object.assign(new Optional(), Object.fromEntries(present.map((name) => [name, `${name} ${at}`])));
  });
}

const Grouped = declare(class Grouped {}, {
  name: [validator.IsString({ groups: ['create', 'update'] })],
  age: [validator.IsInt({ groups: ['update'] })],
  email: [validator.IsEmail({}, { always: true })],
});
const grouped = Object.assign(new Grouped(), { name: 'Ann', age: 3, email: 'ann@example.org' });
let tenant = 0;

// The texts are near each bound, where only validator.js knows how many characters an emoji counts.
const Titled = declare(class Titled {}, {
  title: [validator.MinLength(4)],
  subtitle: [validator.MaxLength(6)],
  slogan: [validator.Length(4, 6)],
});
const titled = Object.assign(new Titled(), { title: '👍🏽👍🏽', subtitle: '👍👍👍👍', slogan: '👍👍👍👍' });

/** The number of rounds, and the milliseconds for each side in a round. */
const QUICK = [5, 60] as const;
const FULL = [15, 200] as const;

const cases: readonly Case[] = [
  pipeCase('pipe: an object without a type', 10, WithObject, { name: 'Ann', settings }),
  pipeCase('pipe: a list without a type', 10, WithList, { name: 'Ann', list: settings.list }),
  outputCase('output: a discriminator', 8, [drawing]),
  {
    name: 'lengths of texts with emoji',
    floor: 1,
    ours: () => engine.validateSync(titled),
    theirs: () => validator.validateSync(titled),
  },
  {
    name: 'groups never seen before',
    floor: 1,
    ours: () => engine.validateSync(grouped, { groups: [`tenant:${(tenant += 1)}`] }),
    theirs: () => validator.validateSync(grouped, { groups: [`tenant:${(tenant += 1)}`] }),
  },
  {
    name: 'groups seen before',
    floor: 5,
    ours: () => engine.validateSync(grouped, { groups: [`tenant:${(tenant += 1) % 500}`] }),
    theirs: () => validator.validateSync(grouped, { groups: [`tenant:${(tenant += 1) % 500}`] }),
  },
  outputCase('output: undeclared members, 10 key sets', 2, undeclaredRows(10)),
  outputCase('output: undeclared members, 50 key sets', 2, undeclaredRows(50)),
  outputCase('output: undeclared members, 200 key sets', 2, undeclaredRows(200)),
  outputCase('output: 200 combinations of optional fields', 5, optionalRows(200)),
];

const results: Awaited<ReturnType<typeof compare>>[] = [];
const [rounds, milliseconds] = values.quick ? QUICK : FULL;
for (const entry of cases) results.push(await compare(entry, rounds, milliseconds));
if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
else
  for (const { name, floor, ratio, ours, theirs, isMet } of results)
    process.stdout.write(
      `${isMet ? 'ok ' : 'LOW'} ${ratio.toFixed(2).padStart(7)}× (floor ${floor}) ${name}: ${Math.round(theirs)} → ${Math.round(ours)} ns\n`,
    );
process.exitCode = results.every(({ isMet }) => isMet) ? 0 : 1;
