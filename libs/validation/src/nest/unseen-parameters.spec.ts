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
import { UnseenParameterError } from '../errors';
import { inGroups } from '../groups';
import { PaginationQuery } from '../rules/pagination-query';
import { refuseUnseenParameters } from './unseen-parameters';
import { ValidationPipe } from './validation.pipe';

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
    @Query() _query: PaginationQuery,
    @Param('id') _id: string,
    @Body('name') _name: unknown,
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
    refuseUnseenParameters(app);
    return [];
  } catch (error) {
    if (error instanceof UnseenParameterError) return error.parameters;
    throw error;
  }
}

describe('parameters whose class cannot be seen', () => {
  it('are none where each has a class with rules', async () => {
    expect(await problemsOf(Seen)).toEqual([]);
  });

  it('are all told at once, with what to do', async () => {
    const noClass = 'has no class that can be seen at run time. Give it a class, imported without "type".';
    expect(await problemsOf(Seen, Unseen, Heir)).toEqual([
      `Unseen.shape: parameter 2 (@Body) ${noClass}`,
      `Unseen.union: parameter 1 (@Body) ${noClass}`,
      `Unseen.list: parameter 1 (@Body) ${noClass}`,
      `Unseen.unknown: parameter 1 (@Query) ${noClass}`,
      `Unseen.unknown: parameter 2 (@Param) ${noClass}`,
      `Unseen.text: parameter 1 (@Body) ${noClass}`,
      'Unseen.unruled: parameter 1 (@Body) is a Unruled, which declares no rule. Declare one for each field.',
      'Unseen.otherClass: parameter 1 (@Body) is a Unruled, but inGroups() names Ruled. Name the same class.',
      'Unseen.typo: parameter 1 (@Body) is a Ruled, which declares no rule in craete. Name a group it has.',
      `Heir.inherited: parameter 1 (@Body) ${noClass}`,
    ]);
  });

  it('end the start with all their names', async () => {
    const app = await Test.createTestingModule({ controllers: [Unseen] }).compile();
    expect(() => refuseUnseenParameters(app)).toThrow(/unchecked:\n {2}Unseen\.shape.*\n {2}Unseen\.union/);
  });
});
