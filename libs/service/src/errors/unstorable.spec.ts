import { Public } from '@app/auth';
import { useMigratedDatabase } from '@app/persistence/testing';
import { Returns } from '@app/contract';
import { Body, Controller, Module, Post, Put, type Type } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsNumber, IsString, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import { type CompiledAndNest, runCompiledAndNest } from '../../testing/compiled-and-nest';

class Priced {
  @IsString() @MaxLength(20) sku!: string;
  @IsInt() @Min(0) @Max(1e301) price!: number;
}

class Named {
  @IsString() @MaxLength(20) sku!: string;
}

class Weighed {
  @IsNumber() @Min(0) @Max(100) price!: number;
}

/** A rule that accepts too much, as an application may have. */
const Anything = () => ValidateBy({ name: 'anything', validator: { validate: () => true } });

class Open {
  @IsString() @MaxLength(20) sku!: string;
  @Anything() name?: unknown;
  @Anything() price?: unknown;
}

class Multiplied {
  @IsNumber() @Min(0) @Max(1e301) @Transform(({ value }) => Number(value) * 1e300) price!: number;
}

describe('a value that the store cannot hold', () => {
  const store = useMigratedDatabase();
  let both: CompiledAndNest;
  beforeEach(async () => void (both = await runCompiledAndNest(program)));
  afterEach(() => both.close());

  function program(): Type {
    const insert = async (row: { sku?: string; name?: string; price: number }) => {
      await store.db
        .insertInto('sampleProduct')
        .values({ sku: 'a', name: 'b', createdAt: new Date(), ...row })
        .execute();
      return 'stored';
    };

    @Controller('items')
    @Public()
    class ItemsController {
      @Post()
      @Returns('anything')
      insert(@Body() { sku, price }: Priced) {
        return insert({ sku, price });
      }

      @Post('weighed')
      @Returns('anything')
      weigh(@Body() { price }: Weighed) {
        return insert({ price });
      }

      @Post('multiplied')
      @Returns('anything')
      multiply(@Body() { price }: Multiplied) {
        return insert({ price });
      }

      @Put()
      @Returns('anything')
      async update(@Body() { price }: Priced) {
        await store.db.updateTable('sampleProduct').set({ price }).execute();
        return 'stored';
      }

      @Post('open')
      @Returns('anything')
      open(@Body() { sku, ...rest }: Open) {
        return insert({ sku, price: 1, ...(rest as object) });
      }

      @Post('forgotten')
      @Returns('anything')
      forget(@Body() { sku }: Named) {
        return insert({ sku, price: null as unknown as number });
      }

      @Post('mistaken')
      @Returns('anything')
      mistake(@Body() { sku }: Named) {
        return insert({ sku, price: Number('no number') });
      }
    }

    @Module({ controllers: [ItemsController] })
    class Program {}
    return Program;
  }

  const send = async (path: string, body: object, method = 'POST') => {
    const { status, body: text } = await both.send({ method, path, body });
    return [Number(status.slice(0, 3)), JSON.parse(text).message];
  };
  const rejected = [400, ['price must be a value that can be stored']];

  it('is a 400 that names the field, when it is an integer beyond 2⁵³', async () => {
    expect(await send('/items', { sku: 'a', price: 1e300 })).toEqual(rejected);
    expect(await send('/items', { sku: 'a', price: 1e300 }, 'PUT')).toEqual(rejected);
  });

  it('is a 400 that names the field, when it is a fraction', async () => {
    expect(await send('/items/weighed', { price: 1.5 })).toEqual(rejected);
  });

  it('is a 400 that names the field, when a transform of the class made it', async () => {
    expect(await send('/items/multiplied', { price: '7' })).toEqual(rejected);
  });

  it('is a 400 that names the field, when it is text with a NUL', async () => {
    expect(await send('/items', { sku: 'a\0', price: 1 })).toEqual([
      400,
      ['sku must not contain NUL characters or unpaired surrogates'],
    ]);
  });

  it('is a 400 that names the field, when it is null and its column is not', async () => {
    expect(await send('/items/open', { sku: 'a', name: null })).toEqual([400, ['name must not be null']]);
    expect(await send('/items/forgotten', { sku: 'a' })).toEqual([500, 'Internal server error']);
  });

  it.each([
    ['name', { a: 1 }],
    ['name', ['a']],
    ['price', 'many'],
  ])(
    'is a 400 that names the field %s, when it is of another type than its column: %j',
    async (name, value) => {
      const reply = [400, [`${name} must be a value that can be stored`]];
      expect(await send('/items/open', { sku: 'a', [name]: value })).toEqual(reply);
    },
  );

  it('is a 500 if the program made it, and no field of the request has it', async () => {
    expect(await send('/items/mistaken', { sku: 'a' })).toEqual([500, 'Internal server error']);
  });

  it('is a 400 in the other form of errors too', async () => {
    const details = await runCompiledAndNest(program, { ERROR_SHAPE: 'details' });
    const { body } = await details.send({ method: 'POST', path: '/items', body: { sku: 'a', price: 1e300 } });
    expect(JSON.parse(body)).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      details: [{ field: 'price', messages: rejected[1] }],
    });
    await details.close();
  });
});
