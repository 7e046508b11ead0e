import { IsString } from 'class-validator';
import { CodePlaces } from './code-place';

class Parent {
  @IsString()
  first!: string;

  read(): string {
    return this.first;
  }
}

class Subclass extends Parent {
  @IsString() second!: string;
}

const file = 'libs/contract/src/findings/code-place.spec.ts';

describe('the position of a declaration', () => {
  const places = new CodePlaces();
  afterAll(() => places.close());

  it('is that in the source, whatever compiled it', () => {
    expect(places.find(Parent)).toEqual({ file, line: 4 });
    expect(places.find(Parent, 'read')).toEqual({ file, line: 8 });
  });

  it('is that of a member of the class or of a superclass', () => {
    expect(places.find(Parent, 'first')).toEqual({ file, line: 6 });
    expect(places.find(Subclass, 'second')).toEqual({ file, line: 14 });
    expect(places.find(Subclass, 'first')).toEqual({ file, line: 6 });
    expect(places.find(Subclass, 'third')).toEqual({ file, line: 13 });
  });

  it('is undefined for what has no source', () => {
    expect(places.find(Array)).toBeUndefined();
  });
});
