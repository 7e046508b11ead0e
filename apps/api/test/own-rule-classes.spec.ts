import { Public } from '@app/auth';
import { exposureOf, Returns } from '@app/contract';
import { RuleSchema } from '@app/engine';
import { describeRoutes } from '@app/service';
import { Body, Controller, Post } from '@nestjs/common';
import {
  Validate,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { typesOf } from '../../../scripts/client-types.mts';
import { bootApi } from '../testing/boot-api';

@RuleSchema(([length]: [number]) => ({
  type: 'string',
  pattern: `^[0-9A-F]{${length}}$`,
  examples: ['0'.repeat(length)],
}))
@ValidatorConstraint()
class IsHex implements ValidatorConstraintInterface {
  validate(value: unknown, args?: ValidationArguments): boolean {
    return typeof value === 'string' && value.length === args?.constraints[0] && /^[0-9A-F]*$/.test(value);
  }
  defaultMessage(): string {
    return '$property must have $constraint1 hexadecimal digits';
  }
}

@RuleSchema({ type: 'integer', multipleOf: 2, minimum: 0, maximum: 100 })
@ValidatorConstraint()
class IsEven implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return Number.isInteger(value) && Number(value) % 2 === 0 && Number(value) >= 0 && Number(value) <= 100;
  }
  defaultMessage(): string {
    return '$property must be even';
  }
}

class NewPaint {
  @Validate(IsHex, [6]) color!: string;
  @Validate(IsEven) liters!: number;
}

@Controller('paints')
class PaintsController {
  @Post()
  @Public()
  @Returns('nothing')
  create(@Body() _body: NewPaint): void {}
}

describe('rules that are classes and declare their schema', () => {
  const api = bootApi({ controllers: [PaintsController] });

  it('are in the OpenAPI document, in the types of the client, and in the lock', async () => {
    const document = (await api().get('/openapi.json')).json;
    expect(document.components.schemas.NewPaint.properties).toEqual({
      color: { type: 'string', pattern: '^[0-9A-F]{6}$', examples: ['000000'] },
      liters: { type: 'integer', multipleOf: 2, minimum: 0, maximum: 100, examples: [0] },
    });
    const { '/paints': paints } = document.paths;
    expect(await typesOf(JSON.stringify({ ...document, paths: { '/paints': paints } }))).toMatch(
      /NewPaint: \{[^}]*color: string;[^}]*liters: number;/,
    );
    expect(exposureOf(describeRoutes(api.app()))['POST /paints']?.accepts).toEqual({
      'body.color': ['IsHex(6)'],
      'body.liters': ['IsEven'],
    });
  });

  it('reject with their own messages', async () => {
    const { status, json } = await api().post('/paints', { color: '#00ff00', liters: 3 });
    expect([status, json.message]).toEqual([
      400,
      ['color must have 6 hexadecimal digits', 'liters must be even'],
    ]);
  });
});
