import { circleRemedy } from './explain-circle';

describe('classes that refer to each other', () => {
  it('have a remedy, which names the alias', () => {
    const load = () => {
      const author = () => book;
      author();
      const book = 'Book';
    };
    let thrown: unknown;
    try {
      load();
    } catch (error) {
      thrown = error;
    }
    expect(circleRemedy(thrown)).toContain('Type the member by an alias in both of them');
  });

  it('are not taken for another error', () => {
    expect(circleRemedy(new ReferenceError('book is not defined'))).toBeUndefined();
    expect(circleRemedy(new TypeError("Cannot access 'x' before initialization"))).toBeUndefined();
  });
});
