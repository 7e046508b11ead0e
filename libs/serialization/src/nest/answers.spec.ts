import { Controller, Get } from '@nestjs/common';
import { RouteSchema } from '@nestjs/platform-fastify';
import { Exclude, Expose, Type } from 'class-transformer';
import { serve, unasked } from '../../testing';
import { OpenWireClassError } from '../errors';
import { Answers } from './answers';
import { bindSerialization } from './bind-serialization';
import { answersOf } from './declared-answer';

@Exclude()
class User {
  @Expose() id!: number;
}

/** Closed no more: class-transformer does not inherit the word on the class. */
class StoredUser extends User {
  password!: string;
}

class TestController {
  @Answers(User, { groups: ['user'] }) me() {
    return unasked();
  }

  @Answers([User]) users() {
    return unasked();
  }

  plain() {}
}

describe('what a route declares', () => {
  it('can be read back', () => {
    expect(declaredBy('me')).toEqual({ type: User, isList: false, options: { groups: ['user'] } });
    expect(declaredBy('users')).toMatchObject({ type: User, isList: true });
    expect(declaredBy('plain')).toBeUndefined();
  });

  it('must be a class that is there', () => {
    const missing: typeof User = Reflect.get({}, 'User');
    expect(() => Answers(missing)).toThrow(/import each other/);
  });

  it('must not open what a class it extends has closed', () => {
    expect(() => Answers(StoredUser)).toThrow(OpenWireClassError);
    expect(() => Answers(StoredUser)).toThrow(/StoredUser extends User.*Put @Exclude\(\) on StoredUser too/);
  });

  it('must not hold such a class, nor one it gives no @Type', async () => {
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

  it('is not said twice', async () => {
    @Controller()
    class Twice {
      @Get('twice')
      @RouteSchema({ response: { 200: { type: 'object' } } })
      @Answers(User)
      read() {
        return unasked();
      }
    }
    await expect(serve([Twice], bindSerialization)).rejects.toThrow(
      /Twice\.read: it has both @Answers and a response schema/,
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
    @Answers(type)
    read() {
      return {};
    }
  }
  return Holder;
}
