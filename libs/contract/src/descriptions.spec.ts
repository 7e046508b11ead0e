import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';
import { Components } from './components';
import { type DescribedPlace, summarized, withDescription } from './descriptions';

class Base {
  @IsString() slug!: string;
}
class Body extends Base {}

@Exclude()
class Sent {
  @Expose() id!: number;
}

describe('the description of a class', () => {
  it('is asked for the class and for each of its members, by a unique key', () => {
    const asked: DescribedPlace[] = [];
    const components = new Components((place) => {
      asked.push(place);
      return `about ${place.key}`;
    });
    components.input(Body, []);
    components.answer(Sent, { groups: [] });
    expect(asked).toEqual([
      { key: 'Body.slug', type: Body, member: 'slug' },
      { key: 'Body', type: Body },
      { key: 'Sent.id', type: Sent, member: 'id' },
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
