import 'reflect-metadata';
import { installedValidator } from '../../../src/shapes/rules/reference';
import { installedVersion } from '../../../src/shapes/transforms/reference';
import { Transform, Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { compileValidator } from '../../../src/validation/validators/compile-validator';
import { fuzz } from '../fuzz';

class Part {
  @IsInt() @Min(1) count!: number;
}

class Whole {
  @IsEmail() email!: string;
  @IsOptional() @IsString() @Transform(({ value }) => String(value).trim()) note?: string;
  @ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
}

/** The report that a program with the libraries prints. */
export interface Certificate {
  readonly validator: string;
  readonly transformer: string;
  readonly how: string;
  readonly why: string | undefined;
  /** The rules in a typical class, and how each is run. */
  readonly rules: readonly string[];
  readonly cases: number;
  readonly difference: string | undefined;
}

/** Compares the results for generated classes with this program's libraries, and prints a {@link Certificate}. */
async function certify(cases: number): Promise<void> {
  const { how, why, rules } = compileValidator(Whole).explain();
  // class-transformer awaits thenables, and `validateSync` awaits nothing: rejections there are unhandled on both
  // sides.
  process.on('unhandledRejection', () => undefined);
  const { tally, difference } = await fuzz(11, cases);
  const certificate: Certificate = {
    validator: installedValidator(),
    transformer: installedVersion(),
    how,
    why,
    rules: rules.map((rule) => rule.how),
    cases: tally.cases,
    difference: difference && JSON.stringify(difference),
  };
  process.stdout.write(JSON.stringify(certificate));
}

void certify(Number(process.argv[2]));
