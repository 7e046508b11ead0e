import {
  apiKeyStrategy,
  AuthModule,
  Caller,
  Public,
  Recent,
  Roles,
  Scopes,
  UseStrategy,
  Verified,
} from '@app/auth';
import { Page, PaginationQuery } from '@app/paging';
import { compareExposures, type Exposure, exposureOf, Returns, Schema } from '@app/contract';
import { inGroups, Masked } from '@app/engine';
import { neverCalled } from '@app/contract/testing';
import { Body, Controller, Get, Post, Query, type Type } from '@nestjs/common';
import { Exclude, Expose, Type as TypeOf } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmail,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from './service-settings';
import { createProgram } from './create-program.bootstrap';
import { describeRoutes } from '../contract/describe-routes.discovery';

const guarded = AuthModule.forRootAsync({
  useFactory: () => ({
    strategies: ['jwt', 'key', 'scoped'].map((name) =>
      apiKeyStrategy({ name, hasScopes: name === 'scoped', check: () => undefined }),
    ),
  }),
});

async function exposed(controller: Type): Promise<Exposure> {
  class Root {}
  const module = { module: Root, imports: [guarded], controllers: [controller] };
  const settings = readSettings(serviceSettings, {});
  const app = await createProgram({ name: 'shop', module, settings });
  const exposure = exposureOf(describeRoutes(app));
  await app.close();
  return exposure;
}

/** The differences between two versions of a controller. */
async function changes(before: Type, after: Type) {
  return compareExposures(await exposed(before), await exposed(after));
}

class Line {
  @IsString() sku!: string;
}

class Order {
  @IsEmail() email!: string;
  @IsArray() @ArrayMaxSize(9) @ValidateNested({ each: true }) @TypeOf(() => Line) lines!: Line[];
}

@Exclude()
class LineView {
  @Expose() sku!: string;
}

@Exclude()
class View {
  @Expose() id!: number;
  @Expose({ groups: ['keeper'] }) cost!: number;
  @Expose() @Masked() key!: string;
  @Expose() @TypeOf(() => LineView) lines!: LineView[];
}

@Controller('orders')
class Orders {
  @Get() @Roles('admin') @Returns(Page(View), { groups: ['keeper'] }) list(@Query() _query: PaginationQuery) {
    return neverCalled();
  }
  @Get('one') @Returns(View) read(@Caller() _caller: object) {
    return neverCalled();
  }
  @Post() @Returns(View) create(@Body() _body: Order) {
    return neverCalled();
  }
}

describe('what a program exposes', () => {
  it('is listed by route: who may call, the rules of its inputs, and every member that is sent', async () => {
    const exposures = await exposed(Orders);
    expect(exposures['GET /orders']).toEqual({
      audience: 'administrator',
      strategies: ['jwt'],
      roles: ['admin'],
      accepts: {
        'query.limit': ['transformed by toWholeNumber', 'isInt', 'min(1)', 'max(100)'],
        'query.page': ['transformed by toWholeNumber', 'isInt', 'min(1)'],
        'query.after': ['optional', 'isCursor'],
      },
      sends: [
        'items[].id',
        'items[].cost',
        'items[].key transformed',
        'items[].lines[].sku',
        'page',
        'limit',
        'nextPage',
      ],
    });
    expect(exposures['GET /orders/one']).toMatchObject({
      audience: 'owner',
      sends: ['id', 'key transformed', 'lines[].sku'],
    });
    expect(exposures['POST /orders']?.accepts).toEqual({
      'body.email': ['isEmail'],
      'body.lines': ['arrayMaxSize(9)', 'isArray', 'each nested'],
      'body.lines[].sku': ['isString'],
    });
  });

  it('does not differ without a change', async () => {
    expect(await changes(Orders, Orders)).toEqual({ wider: [], narrower: [] });
  });
});

@Controller('keys')
class AnyAge {
  @Post() @Returns('nothing') make() {}
}
@Controller('keys')
class FifteenMinutes {
  @Post() @Recent('15m') @Returns('nothing') make() {}
}
@Controller('keys')
class OneHour {
  @Post() @Recent('1h') @Returns('nothing') make() {}
}

describe('the age of a sign-in that a route accepts', () => {
  it('is in the lock, and is wider without a maximum or with a longer one', async () => {
    expect((await exposed(FifteenMinutes))['POST /keys']).toMatchObject({ maxAgeSeconds: 900 });
    expect((await exposed(AnyAge))['POST /keys']).not.toHaveProperty('maxAgeSeconds');
    const line = (after: string, before: string) => `POST /keys has ${after}; it had ${before}`;
    const [any, short, long] = ['no maxAgeSeconds', 'maxAgeSeconds 900', 'maxAgeSeconds 3600'];
    expect((await changes(FifteenMinutes, AnyAge)).wider).toEqual([line(any, short)]);
    expect((await changes(FifteenMinutes, OneHour)).wider).toEqual([line(long, short)]);
    expect((await changes(AnyAge, FifteenMinutes)).narrower).toEqual([line(short, any)]);
  });
});

@Controller('orders')
@UseStrategy('jwt', 'scoped')
class ByDefault {
  @Get() @Returns('nothing') list() {}
}
@Controller('orders')
@UseStrategy('jwt', 'scoped')
class OfResource {
  @Get() @Scopes('orders:read') @Returns('nothing') list() {}
}
@Controller('orders')
@UseStrategy('jwt', 'scoped')
class OfEveryCaller {
  @Get() @Scopes() @Returns('nothing') list() {}
}

describe('the scopes that a route requires', () => {
  it('are in the lock where a strategy has restricted callers, and fewer are wider', async () => {
    expect((await exposed(ByDefault))['GET /orders']).toMatchObject({ scopes: ['read'] });
    expect((await exposed(Orders))['GET /orders']).not.toHaveProperty('scopes');
    expect(await changes(ByDefault, OfResource)).toEqual({
      wider: ['GET /orders no longer requires the scope read'],
      narrower: ['GET /orders requires the scope orders:read'],
    });
    expect(await changes(OfResource, OfEveryCaller)).toEqual({
      wider: ['GET /orders no longer requires the scope orders:read'],
      narrower: [],
    });
  });
});

@Controller('orders')
class AnyEmail {
  @Post() @Returns('nothing') create() {}
}
@Controller('orders')
class VerifiedEmail {
  @Post() @Verified() @Returns('nothing') create() {}
}

describe('a verified e-mail that a route requires', () => {
  it('is in the lock, and a route without is wider', async () => {
    expect((await exposed(VerifiedEmail))['POST /orders']).toMatchObject({ needsVerifiedEmail: true });
    expect((await changes(VerifiedEmail, AnyEmail)).wider).toEqual([
      'POST /orders has no needsVerifiedEmail; it had needsVerifiedEmail',
    ]);
    expect((await changes(AnyEmail, VerifiedEmail)).narrower).toEqual([
      'POST /orders has needsVerifiedEmail; it had no needsVerifiedEmail',
    ]);
  });
});

class Sign {
  @MinLength(8) password!: string;
  @IsIn(['user']) role!: string;
  @Matches(/^a$/) slug!: string;
  @Min(0) @Max(10) count!: number;
}

@Controller('sign')
class Locked {
  @Post() @Returns(View) create(@Body() _body: Sign) {
    return neverCalled();
  }
}

describe('a reviewer sees', () => {
  it('that a route was made public', async () => {
    @Controller('sign')
    class Opened {
      @Post() @Public() @Returns(View) create(@Body() _body: Sign) {
        return neverCalled();
      }
    }
    expect(await changes(Locked, Opened)).toEqual({
      wider: ['POST /sign is for anyone; it was for any user'],
      narrower: ["POST /sign no longer accepts callers by the strategy 'jwt'"],
    });
    expect((await changes(Opened, Locked)).wider).toEqual([
      "POST /sign accepts callers by the strategy 'jwt'",
    ]);
  });

  it('that anybody may call, of whom those who signed in are known', async () => {
    @Controller('sign')
    class Optional {
      @Post() @Public({ caller: 'optional' }) @Returns(View) create(@Body() _body: Sign) {
        return neverCalled();
      }
    }
    expect((await exposed(Optional))['POST /sign']).toMatchObject({
      audience: 'anyone',
      strategies: ['jwt'],
    });
    expect(await changes(Locked, Optional)).toEqual({
      wider: ['POST /sign is for anyone; it was for any user'],
      narrower: [],
    });
    expect((await changes(Optional, Locked)).narrower).toEqual([
      'POST /sign is for any user; it was for anyone',
    ]);
  });

  it('that a handler no longer uses the caller, and changes of roles and strategies', async () => {
    @Controller('orders')
    class WithoutCaller {
      @Get() @UseStrategy('jwt', 'key') @Returns(Page(View), { groups: ['keeper'] }) list(
        @Query() _query: PaginationQuery,
      ) {
        return neverCalled();
      }
      @Get('one') @Returns(View) read() {
        return neverCalled();
      }
      @Post() @Returns(View) create(@Body() _body: Order) {
        return neverCalled();
      }
    }
    expect((await changes(Orders, WithoutCaller)).wider).toEqual([
      'GET /orders is for any user; it was for administrators',
      "GET /orders accepts callers by the strategy 'key'",
      'GET /orders no longer requires the role admin',
      'GET /orders/one is for any user; it was for the owner',
    ]);
  });

  it('that a response was extended', async () => {
    @Exclude()
    class Wider extends View {
      @Expose() secret!: string;
    }
    @Controller('sign')
    class WiderAnswer {
      @Post() @Returns(Wider, { groups: ['keeper'] }) create(@Body() _body: Sign) {
        return neverCalled();
      }
    }
    expect(await changes(Locked, WiderAnswer)).toEqual({
      wider: ['POST /sign sends cost', 'POST /sign sends secret'],
      narrower: [],
    });
    @Controller('sign')
    class FreeResponse {
      @Post() @Returns('anything') create(@Body() _body: Sign) {}
    }
    expect((await changes(Locked, FreeResponse)).wider).toEqual(['POST /sign sends anything']);
    expect((await changes(WiderAnswer, Locked)).narrower).toEqual([
      'POST /sign no longer sends cost',
      'POST /sign no longer sends secret',
    ]);
  });

  it('that rules were loosened, and members added', async () => {
    class Looser {
      @MinLength(6) password!: string;
      @IsIn(['user', 'admin']) role!: string;
      @Matches(/^b$/) slug!: string;
      @IsOptional() @Schema({ type: ['number', 'null'] }) @Min(0) @Max(11) count!: number;
      @IsString() extra!: string;
    }
    @Controller('sign')
    class LooserRules {
      @Post() @Returns(View) create(@Body() _body: Looser) {
        return neverCalled();
      }
    }
    expect(await changes(Locked, LooserRules)).toEqual({
      wider: [
        'POST /sign loosens body.password from minLength(8) to minLength(6)',
        'POST /sign loosens body.role from isIn(["user"]) to isIn(["user","admin"])',
        'POST /sign loosens body.slug from matches(/^a$/) to matches(/^b$/)',
        'POST /sign loosens body.count from max(10) to max(11)',
        'POST /sign permits body.count to be optional',
        'POST /sign accepts body.extra (isString)',
      ],
      narrower: [],
    });
    expect(await changes(LooserRules, Locked)).toEqual({
      wider: ['POST /sign loosens body.slug from matches(/^b$/) to matches(/^a$/)'],
      narrower: [
        'POST /sign tightens body.password from minLength(6) to minLength(8)',
        'POST /sign tightens body.role from isIn(["user","admin"]) to isIn(["user"])',
        'POST /sign no longer permits body.count to be optional',
        'POST /sign tightens body.count from max(11) to max(10)',
        'POST /sign no longer accepts body.extra',
      ],
    });
  });

  it('that a rule was removed, and that another group is selected', async () => {
    class Grouped {
      @MinLength(8, { groups: ['create'] }) password!: string;
      @IsIn(['user'], { groups: ['create'] }) role!: string;
      @Matches(/^a$/, { groups: ['create', 'change'] }) slug!: string;
    }
    @Controller('sign')
    class InGroup {
      @Post() @Returns(View) create(@Body(inGroups(Grouped, 'create')) _body: Grouped) {
        return neverCalled();
      }
    }
    @Controller('sign')
    class InOtherGroup {
      @Post() @Returns(View) create(@Body(inGroups(Grouped, 'change')) _body: Grouped) {
        return neverCalled();
      }
    }
    expect((await changes(Locked, InGroup)).narrower).toEqual(['POST /sign no longer accepts body.count']);
    expect((await changes(InOtherGroup, InGroup)).wider).toEqual([
      'POST /sign accepts body.password (minLength(8))',
      'POST /sign accepts body.role (isIn(["user"]))',
    ]);
  });

  it('that a route was added, and another removed', async () => {
    expect((await changes(Orders, Locked)).wider).toEqual(['POST /sign is new, for any user']);
    expect((await changes(Orders, Locked)).narrower).toEqual([
      'GET /orders was removed',
      'POST /orders was removed',
      'GET /orders/one was removed',
    ]);
  });
});
