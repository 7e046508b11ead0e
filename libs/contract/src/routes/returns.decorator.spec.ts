import { Controller, Get } from '@nestjs/common';
import { RouteSchema } from '@nestjs/platform-fastify';
import { Exclude, Expose, Type } from 'class-transformer';
import { neverCalled } from '../../testing/never-called';
import { serve } from '../../testing/serve';
import { responseDeclarationOf, Returns } from './returns.decorator';
import { bindSerialization } from './bind-serialization.discovery';
import { responseFindings } from './response-findings.discovery';
import { answersOf } from './declared-response.discovery';

@Exclude()
class User {
  @Expose() id!: number;
}

/** Not closed: class-transformer does not inherit a class-level `@Exclude()`. */
class StoredUser extends User {
  password!: string;
}

class TestController {
  @Returns(User, { groups: ['user'] }) me() {
    return neverCalled();
  }

  @Returns([User]) users() {
    return neverCalled();
  }

  plain() {}
}

describe('what a route declares', () => {
  it('can be read', () => {
    expect(declaredBy('me')).toEqual({ type: User, isList: false, options: { groups: ['user'] } });
    expect(declaredBy('users')).toMatchObject({ type: User, isList: true });
    expect(declaredBy('plain')).toBeUndefined();
  });

  it('has media types for bytes, which a misspelt text is not', () => {
    expect(() => Returns('bytes', { types: ['image/svg+xml', 'text/html; charset=utf-8'] })).not.toThrow();
    expect(() => Returns('bytes', { types: ['png'] })).toThrow(/such as 'image\/png', and not 'png'/);
  });

  it('does not change with the options that were given', () => {
    const groups = ['user'];
    const forTransforms = Symbol('for transforms');
    const options = { groups, [forTransforms]: 1 };
    class Other {
      @Returns(User, options) me() {
        return neverCalled();
      }
    }
    groups.push('admin');
    const handler: object = Reflect.get(Other.prototype, 'me');
    expect(responseDeclarationOf(handler)).toEqual({
      type: User,
      isList: false,
      options: { groups: ['user'], [forTransforms]: 1 },
    });
  });

  it('must be a class that is already defined', () => {
    const missing: typeof User = Reflect.get({}, 'User');
    expect(() => Returns(missing)).toThrow(/import each other/);
  });

  it('must not be an open subclass of a closed class, which a finding names', async () => {
    const open = controllerOf(StoredUser);
    expect(responseFindings(open, 'read')).toMatchObject([
      { code: 'SLUICE-C206', place: { type: StoredUser }, remedy: 'Put @Exclude() on StoredUser too' },
    ]);
    await expect(serve([open], bindSerialization)).rejects.toThrow(/SLUICE-C206.*StoredUser extends User/);
  });

  it('must not contain such a class, nor one without @Type', async () => {
    @Exclude()
    class HoldsOpen {
      @Expose() @Type(() => StoredUser) user!: StoredUser;
    }
    @Exclude()
    class HoldsUntyped {
      @Expose() user!: User;
    }
    await expect(serve([controllerOf(HoldsOpen)], bindSerialization)).rejects.toThrow(
      /StoredUser extends User/,
    );
    await expect(serve([controllerOf(HoldsUntyped)], bindSerialization)).rejects.toThrow(
      /@Type\(\(\) => User\)/,
    );
  });

  it('is declared once', async () => {
    @Controller()
    class Twice {
      @Get('twice')
      @RouteSchema({ response: { 200: { type: 'object' } } })
      @Returns(User)
      read() {
        return neverCalled();
      }
    }
    await expect(serve([Twice], bindSerialization)).rejects.toThrow(
      /Twice\.read: it has both @Returns and a response schema/,
    );
  });
});

function declaredBy(handler: string) {
  return answersOf(Reflect.get(TestController.prototype, handler));
}

function controllerOf(type: new () => object) {
  @Controller()
  class Holder {
    @Get('held')
    @Returns(type)
    read() {
      return {};
    }
  }
  return Holder;
}
