import { compileFunction } from 'node:vm';
import { Body, Controller, Get, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Schema } from '../schema';
import { inGroups } from '@app/engine';
import { ListQuery } from '@app/engine/testing';
import { PartialType } from '@nestjs/mapped-types';
import ts from 'typescript';
import { IfGiven } from '../rules/if-given';
import { parametersOf } from '../routes/parameters.discovery';
import { NoMoreThan } from '../rules/no-more-than';
import { TrueOrFalse } from '../rules/true-or-false';
import { WholeNumber } from '../rules/whole-number';
import { memberFindings } from './member-findings';
import { parameterFindings } from './parameter-findings';

class Line {
  @IsString() sku!: string;
}

class Unruled {
  sku!: string;
}

class Whole {
  @IsArray() @ArrayMaxSize(9) @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @IsArray() @NoMoreThan(9) @IsString({ each: true }) tags!: string[];
  @IsOptional() @ValidateNested() @Type(() => Line) line?: Line;
}

class Untyped {
  @IsArray() @ValidateNested({ each: true }) lines!: Line[];
  @IsArray() @ArrayMaxSize(3) tags!: string[];
  @IsObject() detail!: object;
  @IsOptional() anything?: unknown;
}

class NotValidated {
  @IsArray() @Type(() => Line) lines!: Line[];
}

class Open {
  @IsNotEmpty() name!: string;
  @Allow() age!: number;
}

class HoldsUnruled {
  @ValidateNested() @Type(() => Unruled) part!: Unruled;
}

class GroupedPart {
  @IsString({ groups: ['outer', 'inner'] }) name!: string;
}

class Grouped {
  @ValidateNested({ groups: ['outer'] }) @Type(() => GroupedPart) part!: GroupedPart;
}

class Lost {
  @ValidateNested() @Type(() => SoundSearch) one!: object;
  @IsObject() @ValidateNested() @Type(() => SoundSearch) object!: object;
  @IsArray() @NoMoreThan(2) @ValidateNested({ each: true }) @Type(() => SoundSearch) list!: object;
}

class Search {
  @IsInt() limit!: number;
  @IsOptional() @Type(() => Number) page?: number;
  @IsBoolean() @Type(() => String) open!: boolean;
}

class SoundSearch {
  @WholeNumber() limit!: number;
  @IsInt() @Type(() => Number) page!: number;
  @TrueOrFalse() open!: boolean;
  @Transform(({ value }) => Number(value)) @IsInt() size!: number;
}

class Text {
  @IsInt() @Min(0) @Max(9) limit!: number;
}

class Unbounded {
  @IsArray() @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @IsString({ each: true }) tags!: string[];
  @IsInt() @Min(0) height!: number;
  @IsOptional() @IsNumber() weight?: number;
  @IsArray() @ArrayMaxSize(3) @IsInt({ each: true }) sizes!: number[];
}

class Bounded {
  @IsPositive() @Max(9) height!: number;
  @IsInt() @IsIn([1, 2]) colour!: number;
  @IsArray() @ArrayMaxSize(3) @Min(0, { each: true }) @Max(9, { each: true }) sizes!: number[];
}

class Skipped {
  @IsBoolean() isCard!: boolean;
  @ValidateIf(({ isCard }: Skipped) => isCard) @IsString() number!: string;
  @IsOptional() @IsString() name?: string;
  @IsOptional() @Schema({ type: ['string', 'null'] }) @IsString() note?: string | null;
  @IfGiven() @IsString() text?: string;
}

class Changed extends PartialType(Text) {}
class ChangedSoundly extends PartialType(Text, { skipNullProperties: false }) {}

@Controller()
class TestController {
  @Post() skipped(@Body() _body: Skipped) {}
  @Post() changed(@Body() _body: Changed) {}
  @Post() changedSoundly(@Body() _body: ChangedSoundly) {}
  @Post() whole(@Body() _body: Whole, @Query() _query: ListQuery, @Param('id') _id: string) {}
  @Post() sound(@Query() _query: SoundSearch, @Query('n', ParseIntPipe) _n: number, @Body() _body: Text) {}
  @Post() untyped(@Body() _body: Untyped) {}
  @Post() neverCalled(@Body() _body: NotValidated) {}
  @Post() open(@Body() _body: Open) {}
  @Post() holdsUnruled(@Body() _body: HoldsUnruled) {}
  @Post() lost(@Body() _body: Lost) {}
  @Post() grouped(@Body(inGroups(Grouped, 'outer')) _body: Grouped) {}
  @Post() unknownInside(@Body(inGroups(Grouped, 'outer', 'other')) _body: Grouped) {}
  @Post() unbounded(@Body() _body: Unbounded) {}
  @Post() bounded(@Body() _body: Bounded) {}
  @Get() search(@Query() _query: Search) {}
  @Get() fields(@Query('q') _q: string, @Param('id') _id: number, @Body('on') _on: boolean) {}
}

function findingsOf(handler: Exclude<keyof TestController, 'constructor'>) {
  return parametersOf(TestController, handler).flatMap(parameterFindings);
}

/** Returns the source of a class that refers to a class in a neighboring file. */
function importing(name: string, declaration: string): string {
  return `import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { ${name} } from './${name.toLowerCase()}';
${declaration}`;
}

/** Compiles the files by tsc as one program, which knows the types of their imports. Returns the output by file name. */
function compiledByTsc(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const options = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2023,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    noLib: true,
    types: [],
  };
  const outputs = new Map<string, string>();
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    fileExists: (path) => sources.has(path),
    readFile: (path) => sources.get(path),
    getSourceFile: (path, version) => {
      const text = sources.get(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, version);
    },
    writeFile: (path, text) => void outputs.set(path.replace(/\.js$/, '.ts'), text),
  };
  ts.createProgram([...sources.keys()], options, host).emit();
  return outputs;
}

/** Loads the first of the compiled files as Node does, and returns the classes of all. */
async function loadedByTsc(sources: ReadonlyMap<string, string>): Promise<Record<string, Function>> {
  const outputs = compiledByTsc(sources);
  const loaded = new Map<string, unknown>([
    ['class-transformer', await import('class-transformer')],
    ['class-validator', await import('class-validator')],
  ]);
  const classes: Record<string, Function> = {};
  const load = (name: string): unknown => {
    if (loaded.has(name)) return loaded.get(name);
    const exported = {};
    loaded.set(name, exported);
    const output = outputs.get(name.replace(/^\.(.*)$/, '$1.ts')) ?? '';
    compileFunction(output, ['exports', 'require'])(exported, load);
    Object.assign(classes, exported);
    return exported;
  };
  load('./author');
  return classes;
}

const problemsOf = (handler: keyof TestController) =>
  findingsOf(handler).map(({ code, problem }) => `${code} ${problem}`);

describe('the findings of a parameter', () => {
  it('name an object whose type is lost, as a list would be accepted in its place', () => {
    expect(problemsOf('lost').filter((problem) => problem.includes('C115'))).toEqual([
      'SLUICE-C115 Lost.one accepts a list in place of an object',
    ]);
  });

  it('name a member of a class that was not loaded, as tsc compiles files that import each other', async () => {
    const { Author = Object, Book } = await loadedByTsc(
      new Map([
        [
          '/author.ts',
          importing(
            'Book',
            'export class Author { @IsObject() @ValidateNested() @Type(() => Book) book!: Book; }',
          ),
        ],
        [
          '/book.ts',
          importing(
            'Author',
            'export class Book { @IsObject() @ValidateNested() @Type(() => Author) author!: Author; }',
          ),
        ],
      ]),
    );
    const problems = memberFindings(Author, { groups: [], isText: false }).map(({ code, problem, place }) => [
      code,
      problem,
      place?.type,
    ]);
    expect(problems).toEqual([
      ['SLUICE-C116', 'Book.author has a class that was not loaded before it', Book],
    ]);
  });

  it('are none if everything is declared', () => {
    expect([...problemsOf('whole'), ...problemsOf('sound'), ...problemsOf('grouped')]).toEqual([]);
  });

  it('include members whose rules are skipped, for null and under a condition on others', () => {
    expect(problemsOf('skipped')).toEqual([
      'SLUICE-C113 Skipped.number is not validated while the condition of its @ValidateIf() is false',
      'SLUICE-C114 Skipped.name may be null, which its type does not have',
    ]);
    expect(problemsOf('changed')).toEqual([
      'SLUICE-C114 Changed.limit may be null, which its type does not have',
    ]);
    expect(problemsOf('changedSoundly')).toEqual([]);
  });

  it('include lists and objects without a class', () => {
    expect(problemsOf('untyped')).toEqual([
      'SLUICE-C105 Untyped.lines is validated as nested, and has no declared class',
      'SLUICE-C105 Untyped.tags is a list without a class or a rule for its elements',
      'SLUICE-C105 Untyped.detail is an object without a class',
      'SLUICE-C105 Untyped.anything is an object without a class',
    ]);
  });

  it('include parts that are not validated', () => {
    expect(problemsOf('neverCalled')).toEqual([
      'SLUICE-C106 NotValidated.lines has a class that is not validated',
    ]);
    expect(problemsOf('holdsUnruled')).toEqual(['SLUICE-C103 Unruled has no rules']);
  });

  it('include members that accept any value', () => {
    expect(problemsOf('open')).toEqual([
      'SLUICE-C107 Open.name accepts any value',
      'SLUICE-C107 Open.age accepts any value',
    ]);
  });

  it('include an unknown group, at any depth of the class', () => {
    expect(findingsOf('unknownInside')).toMatchObject([
      { code: 'SLUICE-C104', remedy: 'Use one of its groups: inner, outer' },
    ]);
  });

  it('include numbers and booleans that stay strings', () => {
    expect(problemsOf('search')).toEqual([
      'SLUICE-C108 Search.limit is a number that is sent as text, and no rule converts it',
      'SLUICE-C108 Search.page is a number that is sent as text, and no rule converts it',
      'SLUICE-C109 Search.open is a boolean that is sent as text, and no rule converts it',
    ]);
  });

  it('include single fields that are not validated', () => {
    expect(problemsOf('fields')).toEqual([
      "SLUICE-C110 it takes the field 'q' of its query without validation",
      "SLUICE-C108 'id' is declared as a number, and is not converted",
      "SLUICE-C109 'on' is declared as a boolean, and is not converted",
    ]);
  });

  it('include lists and numbers of a body without bounds', () => {
    expect(problemsOf('unbounded')).toEqual([
      'SLUICE-C111 Unbounded.lines is a list without a maximum length',
      'SLUICE-C111 Unbounded.tags is a list without a maximum length',
      'SLUICE-C112 Unbounded.height is a number without bounds',
      'SLUICE-C112 Unbounded.weight is a number without bounds',
      'SLUICE-C112 Unbounded.sizes is a number without bounds',
    ]);
    expect(problemsOf('bounded')).toEqual([]);
  });

  it('have the class and the member to correct', () => {
    expect(findingsOf('neverCalled')[0]).toMatchObject({ place: { type: NotValidated, member: 'lines' } });
  });
});
