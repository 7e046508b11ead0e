import { Page } from './page';

class User {
  id!: number;
}

class Item {
  sku!: string;
}

describe('a page', () => {
  it('is created once per class', () => {
    expect(Page(User)).toBe(Page(User));
    expect(Page(Item)).not.toBe(Page(User));
  });

  it('is named after the class of its items', () => {
    expect(Page(User).name).toBe('PageOfUser');
  });
});
