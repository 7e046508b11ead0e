import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Headers,
  Ip,
  Param,
  Post,
  Query,
  Req,
  Res,
  type Type,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { IsString } from 'class-validator';
import { UncheckedInputError } from '../input-problems/errors';
import { inGroups, ValidationPipe } from '@app/engine';
import { ListQuery } from '@app/engine/testing';
import { assertCheckedInput } from './checked-input.discovery';

class Ruled {
  @IsString({ groups: ['create'] })
  name!: string;
}

class HeirOfRuled extends Ruled {}

class Unruled {
  name!: string;
}

interface Shape {
  name: string;
}

const Caller = createParamDecorator(() => 'caller');

@Controller()
class Seen {
  @Post('a/:id')
  create(
    @Caller() _caller: unknown,
    @Body() _body: Ruled,
    @Query() _query: ListQuery,
    @Param('id') _id: string,
    @Body('name', new ValidationPipe()) _name: unknown,
    @Headers() _headers: Record<string, string>,
    @Ip() _ip: string,
    @Req() _request: unknown,
    @Res() _reply: unknown,
  ) {}

  @Post('heir') heir(@Body() _body: HeirOfRuled) {}

  @Post('groups') groups(@Body(inGroups(Ruled, 'create')) _body: Ruled) {}

  @Post('groups/shape') groupsOfShape(@Body(inGroups(Ruled, 'create')) _body: Shape) {}

  @Post('pipe') pipe(@Body(new ValidationPipe({ expectedType: Ruled })) _body: Shape) {}

  helper(_body: Shape) {}
}

@Controller()
class Unseen {
  @Post('shape') shape(@Param('id') _id: string, @Body() _body: Shape) {}

  @Post('union') union(@Body() _body: Ruled | Unruled) {}

  @Post('list') list(@Body() _body: Ruled[]) {}

  @Get('any') unknown(@Query() _query: unknown, @Param() _path: Type['name']) {}

  @Post('text') text(@Body() _body: string) {}

  @Post('unruled') unruled(@Body() _body: Unruled) {}

  @Post('other') otherClass(@Body(inGroups(Ruled, 'create')) _body: Unruled) {}

  @Post('typo') typo(@Body(inGroups(Ruled, 'craete')) _body: Ruled) {}
}

class Base {
  @Post('inherited') inherited(@Body() _body: Shape) {}
}

@Controller()
class Heir extends Base {}

async function problemsOf(...controllers: Type[]): Promise<readonly string[]> {
  const app = await Test.createTestingModule({ controllers }).compile();
  try {
    assertCheckedInput(app);
    return [];
  } catch (error) {
    if (error instanceof UncheckedInputError) return error.findings;
    throw error;
  }
}

describe('a program of any kind', () => {
  it('starts if each parameter has a class with rules', async () => {
    expect(await problemsOf(Seen)).toEqual([]);
  });

  it('fails with all findings at once, each with its remedy', async () => {
    const unseen = (parameter: string) => `${parameter} has no class at run time`;
    const mend = 'Give the parameter a class, imported without "type".';
    expect(await problemsOf(Seen, Unseen, Heir)).toEqual([
      `SLUICE-C101 Unseen.shape: its ${unseen('body (parameter 2)')}. ${mend}`,
      `SLUICE-C101 Unseen.union: its ${unseen('body (parameter 1)')}. ${mend}`,
      `SLUICE-C101 Unseen.list: its ${unseen('body (parameter 1)')}. ${mend}`,
      `SLUICE-C101 Unseen.unknown: its ${unseen('query (parameter 1)')}. ${mend}`,
      `SLUICE-C101 Unseen.unknown: its ${unseen('path (parameter 2)')}. ${mend}`,
      `SLUICE-C101 Unseen.text: its ${unseen('body (parameter 1)')}. ${mend}`,
      'SLUICE-C103 Unseen.unruled: Unruled has no rules. Declare at least one rule for each of its members.',
      'SLUICE-C102 Unseen.otherClass: parameter 1 has the class Unruled, and inGroups() has Ruled. Use the same class in both places.',
      "SLUICE-C104 Unseen.typo: no rule of Ruled has the group 'craete'. Use one of its groups: create.",
      `SLUICE-C101 Heir.inherited: its ${unseen('body (parameter 1)')}. ${mend}`,
    ]);
  });

  it('does not start', async () => {
    const app = await Test.createTestingModule({ controllers: [Unseen] }).compile();
    expect(() => assertCheckedInput(app)).toThrow(
      /unchecked:\n {2}SLUICE-C101 Unseen\.shape.*\n {2}SLUICE-C101/,
    );
  });
});
