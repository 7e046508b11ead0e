import 'reflect-metadata';
import {
  type ClassTransformOptions,
  Exclude,
  Expose,
  instanceToPlain as reference,
  Transform,
} from 'class-transformer';
import { instanceToPlain } from './instance-to-plain';

class Node {
  id = 1;
  @Expose() part: unknown;
}

class User {
  id = 1;
  @Exclude() password = 'hidden';
  @Expose({ groups: ['admin'] }) email = 'a@b.co';
  @Transform(({ options }) => Object.keys(options).length) options = 0;
}

describe('instanceToPlain, compiled', () => {
  it('returns the same as class-transformer, for any options', () => {
    const choices: (ClassTransformOptions | undefined)[] = [
      undefined,
      {},
      { groups: ['admin'] },
      { groups: ['admin', 'user'], version: 2 },
      { exposeUnsetFields: undefined },
      { enableCircularCheck: true },
      Object.assign({ groups: ['admin'] }, { locale: 'en' }),
    ];
    for (const options of [...choices, ...choices]) {
      expect(instanceToPlain(new User(), options)).toEqual(reference(new User(), options));
      expect(instanceToPlain([new User()], options)).toEqual(reference([new User()], options));
    }
  });

  it('converts values as deep as class-transformer does', () => {
    const nested = (depth: number): Node => {
      let top = new Node();
      for (let level = 1; level < depth; level++) top = Object.assign(new Node(), { part: top });
      return top;
    };
    const depthOf = (convert: (value: Node) => object): number => {
      let [least, most] = [1, 2 ** 15];
      while (most - least > 100) {
        const middle = (least + most) >> 1;
        try {
          convert(nested(middle));
          least = middle;
        } catch {
          most = middle;
        }
      }
      return least;
    };
    // A frame is larger before V8 has optimized its function, which happens at a time of its own: the most of several count.
    const deepest = (convert: (value: Node) => object) =>
      Math.max(...Array.from({ length: 5 }, () => depthOf(convert)));
    expect(deepest((value) => instanceToPlain(value))).toBeGreaterThan(
      0.7 * deepest((value) => reference(value)),
    );
  });
});
