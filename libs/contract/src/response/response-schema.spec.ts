import { Schema } from '../schema';
import { transformMeaning } from '@app/engine';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { responseSchema } from './response-schema';

const refer = (type: Function) => ({ $ref: type.name });
const hide = transformMeaning(() => '***', { const: '***' });

class Part {}

@Exclude()
class Thing {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose({ name: 'made_at' }) madeAt!: Date;
  @Expose() @Transform(hide) key!: string;
  @Expose() @Transform(() => 1) odd!: string;
  @Expose() @Type(() => Part) parts!: Part[];
  @Expose() @Schema({}, { isOptional: true }) note?: string;
  @Expose({ groups: ['keeper'] }) @Schema({ type: ['string', 'null'] }) owner!: string | null;
  secret!: string;
}

describe('the schema of an response', () => {
  it('has null beside a class that is declared with it', () => {
    @Exclude()
    class Whole {
      @Expose()
      @Type(() => Part)
      @Schema({ type: ['object', 'null'], description: 'One.' })
      part!: Part | null;
    }
    expect(responseSchema(Whole, { groups: [] }, refer).properties).toEqual({
      part: { anyOf: [{ $ref: 'Part' }, { type: 'null' }], description: 'One.' },
    });
  });

  it('has exactly what a closed class exposes', () => {
    expect(responseSchema(Thing, { groups: [] }, refer)).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        made_at: { type: 'string', format: 'date-time' },
        key: { const: '***' },
        odd: {},
        parts: { type: 'array', items: { $ref: 'Part' } },
        note: { type: 'string' },
      },
      required: ['id', 'made_at', 'key', 'odd', 'parts'],
      additionalProperties: false,
    });
  });

  it('has the additional fields of a group', () => {
    const { properties } = responseSchema(Thing, { groups: ['keeper'] }, refer);
    expect(properties['owner']).toEqual({ type: ['string', 'null'] });
  });

  it('allows additional properties for an open class', () => {
    class Open {
      @Expose() id!: number;
    }
    expect(responseSchema(Open, { groups: [] }, refer)).not.toHaveProperty('additionalProperties');
  });
});
