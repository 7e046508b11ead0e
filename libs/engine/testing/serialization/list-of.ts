import { Exclude, Expose, Type } from 'class-transformer';

/** A closed class with a list of another class, like a page. */
export function listOf<T extends object>(type: new () => T): new () => { items: T[] } {
  @Exclude()
  class ListOf {
    @Expose()
    @Type(() => type)
    items!: T[];
  }
  return ListOf;
}
