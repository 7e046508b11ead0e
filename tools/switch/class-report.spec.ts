import 'reflect-metadata';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsEmail, IsInt, Matches, ValidateBy, ValidateNested } from 'class-validator';
import * as engine from '@app/engine';
import { type ClassReport, hasDecorators, type LoadedClass, reportOn } from './class-report';
import { printClasses } from './print-classes';

const reportFor = (type: LoadedClass): ClassReport => reportOn(type, engine);

class Part {
  @Matches(/^\d{4,6}$/) zip!: string;
}

class Whole {
  @IsEmail() email!: string;
  @ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
}

class Own {
  @ValidateBy({ name: 'isFree', validator: { validate: () => Promise.resolve(true) } }) name!: string;
  @IsInt() count!: number;
}

class View {
  @Expose() id!: number;
  @Exclude() secret!: string;
}

class Faulty {
  @IsInt() count!: number;
  @Expose() get total(): number {
    throw new RangeError('no total');
  }
}

describe('the report on a class', () => {
  it('says what is compiled, and times a valid value that is made from the rules', () => {
    const { input, output } = reportFor(Whole);
    expect(input).toMatchObject({ why: undefined, slow: [], isValid: true, untimed: undefined });
    expect(input?.rules).toBe(3);
    expect(Object.values(input?.times ?? {}).every((time) => time > 0)).toBe(true);
    expect(output).toMatchObject({ why: undefined, untimed: undefined });
  });

  it('does not call rules of the program', () => {
    const { input } = reportFor(Own);
    expect(input?.times).toBeUndefined();
    expect(input?.untimed).toContain('isFree is a rule of its own');
    expect(input?.slow).toEqual([expect.objectContaining({ property: 'Own.name', rule: 'isFree' })]);
  });

  it('has no input for a class without rules', () => {
    expect(reportFor(View)).toMatchObject({ input: undefined, output: { why: undefined } });
  });

  it('says why nothing is timed', () => {
    expect(reportFor(Faulty).output).toMatchObject({
      times: undefined,
      untimed: 'it throws with a sample: no total',
    });
  });

  it('is about classes with decorators', () => {
    expect([Whole, View, class Plain {}].map(hasDecorators)).toEqual([true, true, false]);
  });

  it('is printed for people', () => {
    const times = { before: 10, after: 0.5 };
    const direction = { why: undefined, times, untimed: undefined };
    const input = { ...direction, rules: 1, slow: [], isValid: true };
    const left = { why: 'a reason', times: undefined, untimed: 'the results differ' };
    const reports = [
      { name: 'A', input, output: direction },
      { name: 'B', input: undefined, output: left },
      { name: 'C', input, output: { ...direction, times: { before: 1, after: 1.5 } } },
    ];
    expect(printClasses({ reports, failures: ['b.js: an error'] })).toBe(`A
  input   compiled, 1 rule; valid: 10.0 µs → 0.5 µs, 20.0×
  output  compiled; as JSON: 10.0 µs → 0.5 µs, 20.0×
B
  output  not compiled: a reason; not timed: the results differ
C
  input   compiled, 1 rule; valid: 10.0 µs → 0.5 µs, 20.0×
  output  compiled; as JSON: 1.0 µs → 1.5 µs, slower
not loaded: b.js: an error
slower than before: C (output)
`);
    expect(printClasses({ reports: [], failures: [] })).toContain('no exported class');
  });
});
