import { Page } from './page';

class User {
  id!: number;
}

class Item {
  sku!: string;
}

describe('a page', () => {
  it('is one class for each class', () => {
    expect(Page(User)).toBe(Page(User));
    expect(Page(Item)).not.toBe(Page(User));
  });

  it('is named after what it holds', () => {
    expect(Page(User).name).toBe('PageOfUser');
  });
});
