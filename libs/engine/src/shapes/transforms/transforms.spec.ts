import 'reflect-metadata';
import {
  type ClassTransformOptions,
  Exclude,
  Expose,
  instanceToPlain,
  plainToInstance,
  Transform,
  TransformationType,
  Type,
} from 'class-transformer';
import * as module from 'class-transformer/cjs/storage.js';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage';
import * as fc from 'fast-check';
import { ownReading, readingOf } from './own-reading';
import { Executor } from './imported-library';
import { installedVersion, isKnownVersion } from './reference';
import { selectKeys, selectTransforms } from './selection';
import { type Direction, storage, transformsGeneration } from './storage';
import { readTransforms } from './transform-shape';

const identity = ({ value }: { value: unknown }) => value;

@Exclude()
class Base {
  @Expose({ groups: ['admin'] }) id!: number;
  @Expose({ name: 'mail', since: 2 }) @Transform(identity) email!: string;
  @Exclude({ toPlainOnly: true }) secret!: string;
  @Expose({ toClassOnly: true }) token!: string;
}

class Middle extends Base {
  @Expose({ since: 1, until: 3 }) @Transform(identity, { groups: ['admin'] }) declare email: string;
  @Expose({ groups: ['user', 'admin'] }) @Type(() => Date) at!: Date;
}

@Expose()
class Leaf extends Middle {
  @Exclude() declare id: number;
  @Transform(identity, { toPlainOnly: true }) @Transform(identity, { since: 2 }) declare email: string;
  @Expose({ name: 'id', toPlainOnly: true, toClassOnly: true }) other!: string;
}

describe('a custom conversion of input', () => {
  const read = (sent: unknown) => (sent === 'yes' ? 1 : sent);
  class Read {
    @ownReading(read) a!: unknown;
    @Transform(identity) b!: unknown;
  }

  it('is compiled if it was declared by ownReading, and applies to input only', () => {
    const shape = readTransforms(Read);
    const readings = ['a', 'b'].map((name) =>
      selectTransforms(shape, name, 'toClass', {}).map(({ transform }) => readingOf(transform)),
    );
    expect(readings).toEqual([[read], [undefined]]);
    expect(plainToInstance(Read, { a: 'yes' })).toEqual(Object.assign(new Read(), { a: 1 }));
    expect(instanceToPlain(Object.assign(new Read(), { a: 'yes' }))).toEqual({ a: 'yes' });
  });
});

const classes = [Base, Middle, Leaf];
const directions = ['toClass', 'toPlain'] as const;
const numberOf = { toClass: TransformationType.PLAIN_TO_CLASS, toPlain: TransformationType.CLASS_TO_PLAIN };

const choices = fc.record(
  {
    groups: fc.subarray(['admin', 'user', 'none']),
    version: fc.constantFrom(0, 1, 2, 3),
    strategy: fc.constantFrom('exposeAll' as const, 'excludeAll' as const),
    excludeExtraneousValues: fc.boolean(),
    excludePrefixes: fc.subarray(['e', 'ma', '']),
  },
  { requiredKeys: [] },
);

/** The keys that class-transformer itself processes, by a private method. */
function keysOfReference(
  target: Function,
  value: object,
  direction: Direction,
  options: ClassTransformOptions,
) {
  const executor = new Executor(numberOf[direction], options);
  const getKeys: (target: Function, value: object) => string[] = Reflect.get(executor, 'getKeys');
  return getKeys.call(executor, target, value);
}

describe('a transform shape', () => {
  it('selects the same keys as class-transformer, in the same order', () => {
    const value = { other: 1, mail: 2, id: 3, email: 4, extra: 5, secret: 6, token: 7 };
    const check = (target: Function, direction: Direction, choice: ClassTransformOptions) => {
      const selection = selectKeys(readTransforms(target), direction, choice);
      const own = selection.takesOwnKeys ? Object.keys(value).filter((key) => selection.keeps(key)) : [];
      expect([...new Set([...own, ...selection.exposed])]).toEqual(
        keysOfReference(target, value, direction, choice),
      );
    };
    fc.assert(fc.property(fc.constantFrom(...classes), fc.constantFrom(...directions), choices, check), {
      numRuns: 2000,
    });
  });

  it('has ancestors’ transforms first, and each class’s own from the bottom up', () => {
    const namespace: object = module;
    const reference: MetadataStorage = Reflect.get(namespace, 'defaultMetadataStorage');
    const expected = reference.findTransformMetadatas(Leaf, 'email', TransformationType.CLASS_TO_PLAIN);
    const chosen = selectTransforms(readTransforms(Leaf), 'email', 'toPlain', { groups: ['admin'] });
    expect(chosen).toMatchObject(expected.map(({ options }) => options));
    expect(selectTransforms(readTransforms(Leaf), 'email', 'toClass', { version: 1 })).toHaveLength(1);
  });

  it('has the class’s own strategy, and separately the inherited one', () => {
    expect(readTransforms(Middle)).toMatchObject({ strategy: 'none', inheritedStrategy: 'excludeAll' });
    expect(readTransforms(Leaf)).toMatchObject({ strategy: 'exposeAll', inheritedStrategy: 'exposeAll' });
  });

  it('is outdated after a decorator has run', () => {
    const before = transformsGeneration();
    Expose()(Leaf.prototype, 'late');
    expect(transformsGeneration()).toBeGreaterThan(before);
    expect(readTransforms(Leaf).exposeOf.has('late')).toBe(true);
  });

  it('is outdated after another package has set what a class has, as mapped types do', () => {
    const exposed: Map<unknown, unknown> = Reflect.get(storage, '_exposeMetadatas');
    class Mapped {}
    expect(readTransforms(Mapped).exposeOf.has('at')).toBe(false);
    exposed.set(Mapped, new Map([['at', { target: Mapped, propertyName: 'at', options: {} }]]));
    expect(readTransforms(Mapped).exposeOf.has('at')).toBe(true);
  });

  it('is read from the tested class-transformer, and from trusted versions only', () => {
    expect(installedVersion()).toBe('0.5');
    expect(isKnownVersion(installedVersion())).toBe(true);
    expect(isKnownVersion('0.6.0')).toBe(false);
    expect(isKnownVersion('0.6.0', ['0.6.0'])).toBe(true);
  });
});
