import { transformSync } from '@swc/core';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import ts from 'typescript';
import swc from '../../../../../scripts/swc.json';
import { compileValidator } from './compile-validator';

// An alias has no value, which the metadata of the compiler would read before the class exists.
type BookOfAuthor = Book;

class Author {
  @IsString() name!: string;
  @IsOptional() @IsObject() @ValidateNested() @Type(() => Book) book?: BookOfAuthor;
}

class Book {
  @IsString() title!: string;
  @IsOptional() @IsObject() @ValidateNested() @Type(() => Author) author?: Author;
}

describe('classes that refer to each other by an alias', () => {
  const validator = compileValidator(Author, { whitelist: true, forbidNonWhitelisted: true, hardened: true });
  const check = (book: unknown) => validator.check({ name: 'a', book });

  it('accept an object, and no list in its place', () => {
    expect(check({ title: 'b', author: { name: 'c' } })).toHaveProperty('value');
    for (const book of [[], [{ title: 'b' }], { title: 'b', author: [] }, { title: 7 }])
      expect([book, check(book)]).toEqual([book, { errors: [expect.anything()] }]);
  });

  it('are compiled by swc and tsc without a reference to the imported class in the metadata', () => {
    const source = `import { Book } from './book';
type BookOfAuthor = Book;
export class Author {
  @Type(() => Book) book?: BookOfAuthor;
}`;
    const bySwc = transformSync(source, {
      ...JSON.parse(JSON.stringify(swc)),
      module: { type: 'commonjs' },
    }).code;
    const { outputText: byTsc } = ts.transpileModule(source, {
      compilerOptions: {
        module: ts.ModuleKind.CommonJS,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
      },
    });
    for (const code of [bySwc, byTsc]) {
      const [metadata = ''] = /"design:type".*/.exec(code) ?? [];
      expect(metadata).toContain('Object');
      expect(metadata).not.toMatch(/\bBook\b/);
    }
  });
});
