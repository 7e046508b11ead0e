import 'reflect-metadata';
import { Validator as OpenApiValidator } from '@seriousme/openapi-schema-validator';
import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  Param,
  Post,
  Put,
  Query,
  SerializeOptions,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiProperty,
  DocumentBuilder,
  getSchemaPath,
  type OpenAPIObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { invalidObjects, schemaChecker, validValues } from '@app/contract/testing';
import { inGroups } from '@app/validation';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { ValidationPipe as CompiledPipe } from '../drop-ins/validation.pipe';
import { correctDocument } from './correct-document.discovery';

enum Size {
  Small = 'small',
  Large = 'large',
}

class Line {
  @ApiProperty({ description: 'What is ordered.' }) @Matches(/^[a-z]+-\d+$/) sku!: string;
  @ApiProperty() @IsInt() @Min(1) @Max(999) quantity!: number;
  @IsOptional() @IsEnum(Size) size?: Size;
}

class Payment {
  @IsIn(['card', 'transfer']) kind!: string;
}

class CardPayment extends Payment {
  @IsInt() @Min(1) @Max(12) month!: number;
  @Exclude({ toPlainOnly: true }) @IsString() number!: string;
}

class TransferPayment extends Payment {
  @ApiProperty({ description: 'IBAN' }) @IsString() account!: string;
}

const payments = {
  keepDiscriminatorProperty: true,
  discriminator: {
    property: 'kind',
    subTypes: [
      { name: 'card', value: CardPayment },
      { name: 'transfer', value: TransferPayment },
    ],
  },
};

class Purchase {
  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(CardPayment) }, { $ref: getSchemaPath(TransferPayment) }] })
  @ValidateNested()
  @IsDefined()
  @Type(() => Payment, payments)
  payment!: Payment;
}

class CreateOrder {
  @ApiProperty({ example: 'ann@example.org' }) @IsEmail() email!: string;
  @ApiProperty() @IsString() @Length(2, 20) name!: string;
  @ApiProperty() @IsBoolean() isGift!: boolean;
  @ApiProperty({ type: [Line] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(4)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];
  @ApiProperty() note?: string;
}

class Discount {
  @ApiProperty() @IsInt({ groups: ['staff'] }) @IsNumber({}, { groups: ['caller'] }) percent!: number;
  @ApiProperty() @IsString({ groups: ['staff'] }) reason!: string;
}

class ListOrders {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) limit = 10;
  @IsOptional() @IsIn(['name', 'date']) sort?: string;
}

class LineView {
  @ApiProperty() sku!: string;
  @ApiProperty() @Exclude() costCents!: number;
}

class OrderView {
  @ApiProperty({ type: 'integer' }) @Expose() id!: number;
  @ApiProperty() @Exclude() passwordHash!: string;
  @ApiProperty() @Expose({ name: 'e_mail' }) email!: string;
  @ApiProperty() @Expose({ groups: ['staff'] }) note!: string;
  @ApiProperty({ type: [LineView] }) @Type(() => LineView) lines!: LineView[];
  @ApiProperty() @Transform(({ value }) => [value as unknown]) card!: string;
  @Type(() => Date) createdAt!: Date;
}

const strict = { whitelist: true, forbidNonWhitelisted: true };
const views: OrderView[] = [];

@Controller('orders')
@ApiExtraModels(OrderView, CardPayment, TransferPayment)
class Orders {
  @Post() @UsePipes(new ValidationPipe(strict)) create(@Body() _order: CreateOrder) {
    return { ok: true };
  }
  @Put('lenient') @UsePipes(new ValidationPipe({ transform: true })) replace(@Body() _order: CreateOrder) {
    return { ok: true };
  }
  @Put('unchecked') change(@Body() _order: CreateOrder) {
    return { ok: true };
  }
  @Put('discount/staff') @UsePipes(new ValidationPipe({ groups: ['staff'], ...strict })) grant(
    @Body() _discount: Discount,
  ) {
    return { ok: true };
  }
  @Put('discount') @UsePipes(new CompiledPipe(strict)) ask(
    @Body(inGroups(Discount, 'caller')) _discount: Discount,
  ) {
    return { ok: true };
  }
  @Put('written')
  @UsePipes(new ValidationPipe(strict))
  @ApiBody({ schema: { type: 'object', description: 'By hand.' } })
  written(@Body() _order: CreateOrder) {
    return { ok: true };
  }
  @Post('purchases')
  @UsePipes(new ValidationPipe({ transform: true, ...strict }))
  @ApiCreatedResponse({ type: Purchase })
  purchase(@Body() purchase: Purchase) {
    return purchase;
  }
  @Get() @UsePipes(new ValidationPipe({ transform: true })) list(@Query() _query: ListOrders) {
    return { ok: true };
  }
  @Get('views') @ApiOkResponse({ type: [OrderView] }) views() {
    return views;
  }
  @Get('page')
  @ApiOkResponse({
    schema: { properties: { items: { type: 'array', items: { $ref: getSchemaPath(OrderView) } } } },
  })
  page() {
    return { items: views };
  }
  @Get('closed/:id')
  @SerializeOptions({ strategy: 'excludeAll', groups: ['staff'] })
  @ApiOkResponse({ type: OrderView })
  closed(@Param('id') id: string) {
    return views[Number(id)];
  }
}

class Program {}

async function bootProgram(): Promise<NestFastifyApplication> {
  const module = { module: Program, controllers: [Orders] };
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
  });
  app.setGlobalPrefix('api');
  app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

describe('a corrected document', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => void (app = await bootProgram()));
  afterAll(() => app.close());

  const created = (version: '3.0.0' | '3.1.0') =>
    SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion(version).build());
  const corrected = (version: '3.0.0' | '3.1.0' = '3.1.0'): any => correctDocument(app, created(version));
  const componentOf = (document: any, schema: any): any =>
    document.components.schemas[schema.$ref.split('/').at(-1)];
  const bodyOf = (document: any, path: string, verb: string): any =>
    document.paths[path][verb].requestBody.content['application/json'].schema;
  const answerOf = (document: any, path: string): any =>
    document.paths[path].get.responses[200].content['application/json'].schema;

  it.each(['3.0.0', '3.1.0'] as const)(
    'is a valid document of %s, and leaves the given one alone',
    async (version) => {
      const given = created(version);
      const before = structuredClone(given);
      const document: OpenAPIObject = correctDocument(app, given);
      expect(given).toEqual(before);
      expect(document.openapi).toBe(version);
      const result = await new OpenApiValidator().validate(structuredClone(document) as never);
      expect(result).toMatchObject({ valid: true });
      expect(JSON.stringify(document)).not.toMatch(/undefined|"in \d|"out \d/);
    },
  );

  it('has the rules of the class, with the texts of the document', () => {
    const document = corrected();
    const order = componentOf(document, bodyOf(document, '/api/orders', 'post'));
    const line = order.properties.lines.items;
    expect(order).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email', example: 'ann@example.org' },
        name: { type: 'string', minLength: 2, maxLength: 20 },
        isGift: { type: 'boolean' },
        lines: { type: 'array', minItems: 1, maxItems: 4, items: line },
      },
      required: ['email', 'name', 'isGift', 'lines'],
      additionalProperties: false,
    });
    expect(componentOf(document, line)).toEqual({
      type: 'object',
      properties: {
        sku: { type: 'string', pattern: '^[a-z]+-\\d+$', description: 'What is ordered.' },
        quantity: { type: 'integer', minimum: 1, maximum: 999 },
        size: { type: ['string', 'null'], enum: ['small', 'large', null] },
      },
      required: ['sku', 'quantity'],
      additionalProperties: false,
    });
  });

  it.each(['3.0.0', '3.1.0'] as const)('has the discriminator of a member in %s', (version) => {
    const document = corrected(version);
    const { requestBody, responses } = document.paths['/api/orders/purchases'].post;
    const [accepted, sent] = [requestBody, responses[201]].map(
      ({ content }: any) => componentOf(document, content['application/json'].schema).properties.payment,
    );
    for (const { discriminator, oneOf } of [accepted, sent])
      expect(discriminator).toEqual({
        propertyName: 'kind',
        mapping: { card: oneOf[0].$ref, transfer: oneOf[1].$ref },
      });
    const kind = version === '3.0.0' ? { enum: ['card'] } : { const: 'card' };
    const card = componentOf(document, accepted.oneOf[0]).properties;
    expect(card).toMatchObject({ kind, month: { maximum: 12 }, number: {} });
    expect(Object.keys(componentOf(document, sent.oneOf[0]).properties)).not.toContain('number');
    expect(componentOf(document, sent.oneOf[1]).properties.account.description).toBe('IBAN');
  });

  it('has the rules of the groups of the pipe', () => {
    const document = corrected();
    const percentOf = (path: string) => componentOf(document, bodyOf(document, path, 'put')).properties;
    expect(percentOf('/api/orders/discount')).toEqual({ percent: { type: 'number' } });
    expect(percentOf('/api/orders/discount/staff')).toEqual({
      percent: { type: 'integer' },
      reason: { type: 'string' },
    });
  });

  it('keeps members without rules where the pipe keeps them', () => {
    const document = corrected();
    const lenient = componentOf(document, bodyOf(document, '/api/orders/lenient', 'put'));
    expect(lenient.properties.note).toEqual({ type: 'string' });
    expect(lenient).not.toHaveProperty('additionalProperties');
  });

  it('keeps what no pipe validates, and what was written by hand', () => {
    const document = corrected();
    const before: any = created('3.1.0');
    const unchecked = bodyOf(document, '/api/orders/unchecked', 'put');
    expect(componentOf(document, unchecked)).toEqual(componentOf(before, unchecked));
    expect(bodyOf(document, '/api/orders/written', 'put')).toEqual({
      type: 'object',
      description: 'By hand.',
    });
  });

  it('has a parameter for each member of a query', () => {
    expect(corrected('3.0.0').paths['/api/orders'].get.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      },
      { name: 'sort', in: 'query', required: false, schema: { type: 'string', enum: ['name', 'date'] } },
    ]);
  });

  it('has what the interceptor sends: no excluded members, those of the groups, their names on the wire', () => {
    const document = corrected();
    const list = answerOf(document, '/api/orders/views');
    const view = componentOf(document, list.items);
    expect(Object.keys(view.properties).toSorted()).toEqual(['card', 'createdAt', 'e_mail', 'id', 'lines']);
    expect(view.properties).toMatchObject({
      id: { type: 'integer' },
      card: {},
      createdAt: { format: 'date-time' },
    });
    expect(Object.keys(componentOf(document, view.properties.lines.items).properties)).toEqual(['sku']);
    expect(answerOf(document, '/api/orders/page').properties.items.items).toEqual(list.items);
    const closed = componentOf(document, answerOf(document, '/api/orders/closed/{id}'));
    expect(Object.keys(closed.properties)).toEqual(['id', 'e_mail', 'note']);
    expect(closed.additionalProperties).toBe(false);
  });

  it.each([
    ['POST', '/api/orders'],
    ['POST', '/api/orders/purchases'],
    ['PUT', '/api/orders/discount'],
    ['PUT', '/api/orders/discount/staff'],
  ] as const)('is equal to what is accepted and refused: %s %s', async (method, path) => {
    const document = corrected();
    const schema = bodyOf(document, path, method.toLowerCase());
    const { schemas } = document.components;
    const statusOf = async (payload: object) => (await app.inject({ method, url: path, payload })).statusCode;
    await fc.assert(
      fc.asyncProperty(validValues(schema, schemas), async (value) => {
        expect(await statusOf(value as object)).toBe(method === 'POST' ? 201 : 200);
      }),
      { numRuns: 25 },
    );
    const refused = invalidObjects(schema, schemas);
    expect(refused.length).toBeGreaterThan(2);
    for (const one of refused)
      await fc.assert(
        fc.asyncProperty(one, async (value) => {
          expect([value, await statusOf(value)]).toEqual([value, 400]);
        }),
        { numRuns: 5 },
      );
  });

  it('is equal to what is sent', async () => {
    const document = corrected();
    const checkerOf = schemaChecker(document);
    const line = fc.record({ sku: fc.string(), costCents: fc.integer() });
    const made = fc.record({
      id: fc.integer(),
      passwordHash: fc.string(),
      email: fc.string(),
      note: fc.string(),
      lines: fc.array(line.map((one) => Object.assign(new LineView(), one))),
      card: fc.string(),
      createdAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(1e12) }),
    });
    const paths = {
      '/api/orders/views': 'views',
      '/api/orders/page': 'page',
      '/api/orders/closed/{id}': 'closed/0',
    };
    await fc.assert(
      fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 3 }), async (all) => {
        views.splice(0, views.length, ...all.map((one) => Object.assign(new OrderView(), one)));
        for (const [path, url] of Object.entries(paths)) {
          const body = (await app.inject(`/api/orders/${url}`)).json();
          expect([body, checkerOf(answerOf(document, path))(body)]).toEqual([body, undefined]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
