import { Exclude, Expose, Transform } from 'class-transformer';
import { compileSerializer } from '../libs/engine/src/serialization/run/compile-serializer';
import type { Row, Subject } from './measure';

/**
 * Measures the memory that a response retains until it is sent. Concatenated text is a rope until it is read.
 *
 * Needs `--expose-gc`.
 */
export function heldBy(name: string, subjects: Readonly<Record<string, Subject>>): Row[] {
  return Object.entries(subjects).map(([subject, answer]) => {
    const value = keptBy(answer);
    return { case: name, subject, value, unit: 'bytes held' as const };
  });
}

const CLASSES = 200;

/** Measures the cost of compiling a class with eight fields on its first use. */
export function compileCosts(): Row[] {
  const name = 'compiling a class of 8 fields';
  return Object.entries(firstUses).flatMap(([subject, use]): Row[] => {
    compileAll(use);
    const classes = Array.from({ length: CLASSES }, makeClass);
    const times: number[] = [];
    const bytes = keptBy(() =>
      classes.map((type) => {
        const started = performance.now();
        const serializer = use(type);
        times.push((performance.now() - started) * 1e6);
        return serializer;
      }),
    );
    const median = times.toSorted((left, right) => left - right)[CLASSES / 2];
    return [
      { case: name, subject, value: median, unit: 'ns' },
      { case: name, subject, value: Math.min(...times), unit: 'ns at best' },
      { case: name, subject, value: bytes / CLASSES, unit: 'bytes held' },
    ];
  });
}

type MadeClass = new () => object;

const firstUses = {
  'and writing one value': (type: MadeClass) => {
    const serializer = compileSerializer(type);
    serializer.write(new type());
    return serializer;
  },
  'and writing one value, then a list': (type: MadeClass) => {
    const serializer = compileSerializer(type);
    serializer.write(new type());
    serializer.write([new type(), new type()]);
    return serializer;
  },
} as const;

/** Warms up V8's own functions before anything is timed. */
function compileAll(use: (type: MadeClass) => unknown): void {
  for (let at = 0; at < CLASSES; at++) use(makeClass());
}

function makeClass(): MadeClass {
  @Exclude()
  class View {
    @Expose() id = 1;
    @Expose() name = 'Ada';
    @Expose() email = 'ada@example.com';
    @Expose() createdAt = new Date(0);
    @Expose() @Transform(({ value }: { value: string }) => value.slice(0, 2)) key = 'secret';
    @Expose({ groups: ['admin'] }) role = 'user';
    @Expose({ name: 'last_ip' }) lastIp = '203.0.113.7';
    passwordHash = '$argon2id$';
  }
  return View;
}

let retained: unknown;

function keptBy(make: () => unknown): number {
  retained = undefined;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  retained = make();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed - before;
}

/** Returns the last retained value, so that it is not collected. */
export function lastKept(): unknown {
  return retained;
}
