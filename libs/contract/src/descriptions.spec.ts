import type { JsonSchema } from '@app/engine';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';
import { Components } from './components';
import { type DescribedPlace, summarized, withDescription, withTexts } from './descriptions';

class Base {
  @IsString() slug!: string;
}
class Body extends Base {}

@Exclude()
class Sent {
  @Expose() id!: number;
}

describe('the description of a class', () => {
  it('has the `@example` of a member: a text as it is written, everything else as JSON', () => {
    const exampleOf = (schema: JsonSchema, text: string) =>
      withTexts(schema, (member) => (member === 'one@example' ? text : undefined), 'one');
    expect(exampleOf({ type: 'string' }, '`12`')).toEqual({ type: 'string', examples: ['12'] });
    expect(exampleOf({ type: ['integer', 'null'] }, '12')).toMatchObject({ examples: [12] });
    expect(() => exampleOf({ type: 'array' }, 'a, b')).toThrow(
      'the @example of one must be JSON, as it is not a text: a, b',
    );
  });

  it('is asked for the class and for each of its members, by a unique key', () => {
    const asked: DescribedPlace[] = [];
    const components = new Components((place) => {
      asked.push(place);
      return place.key.endsWith('@example') ? undefined : `about ${place.key}`;
    });
    components.input(Body, []);
    components.response(Sent, { groups: [] });
    expect(asked).toEqual([
      { key: 'Body.slug', type: Body, member: 'slug' },
      { key: 'Body.slug@example', type: Body, member: 'slug@example' },
      { key: 'Body', type: Body },
      { key: 'Sent.id', type: Sent, member: 'id' },
      { key: 'Sent.id@example', type: Sent, member: 'id@example' },
      { key: 'Sent', type: Sent },
    ]);
    expect(components.all()).toMatchObject({
      Body: {
        description: 'about Body',
        properties: { slug: { description: 'about Body.slug' } },
      },
      Sent: { description: 'about Sent', properties: { id: { description: 'about Sent.id' } } },
    });
  });

  it('is before the text of the rules', () => {
    expect(withDescription({ description: 'Must be odd.' }, 'A number.')).toEqual({
      description: 'A number. Must be odd.',
    });
    expect(withDescription({ type: 'string' }, undefined)).toEqual({ type: 'string' });
  });

  it.each([
    ['Lists posts.', 'Lists posts', ''],
    ['Lists posts', 'Lists posts', ''],
    ['Costs 1.5 times more. Use it rarely. Really.', 'Costs 1.5 times more', 'Use it rarely. Really.'],
  ])('%j is summarized by its first sentence', (text, summary, rest) => {
    expect(summarized(text)).toEqual({ summary, rest });
  });
});
