import 'reflect-metadata';
import {
  type ClassTransformOptions,
  Exclude,
  Expose,
  instanceToPlain as reference,
  Transform,
  Type,
} from 'class-transformer';
import { instanceToPlain, makeInstanceToPlain } from './instance-to-plain';
import { Programs } from './programs';

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

  it.each<[reason: string, decorator: PropertyDecorator, options: ClassTransformOptions]>([
    ['the option enableCircularCheck is not compiled', Expose(), { enableCircularCheck: true }],
    ['the type of Left.part depends on the value', Type((help) => help!.object.constructor as never), {}],
  ])('says once which class class-transformer serializes, and why: %s', (reason, decorate, options) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    class Left {
      part = {};
    }
    decorate(Left.prototype, 'part');
    // Programs of its own, because other specs of the process use many options.
    const toPlain = makeInstanceToPlain(new Programs());
    for (let time = 0; time < 3; time++) toPlain([new Left()], options);
    expect(warn).toHaveBeenCalledExactlyOnceWith(`Left is serialized by the libraries: ${reason}`, {
      type: 'SluiceWarning',
      code: 'SLUICE_NOT_COMPILED',
    });
    warn.mockRestore();
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
    // A frame is half as large once V8 has optimized its function, at a time of its own: one depth is compared with the other
    // right after it, and at most one of these pairs has another frame in its second half.
    const ratios = Array.from({ length: 5 }, () => {
      const theirs = depthOf((value) => reference(value));
      return depthOf((value) => instanceToPlain(value)) / theirs;
    });
    const [, , median] = ratios.toSorted((a, b) => a - b);
    expect(median).toBeGreaterThan(0.9);
  });
});
