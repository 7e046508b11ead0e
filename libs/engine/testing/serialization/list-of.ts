import { Exclude, Expose, Type } from 'class-transformer';

/** Creates a closed class that lists instances of a given class, like a page. */
export function listOf<T extends object>(type: new () => T): new () => { items: T[] } {
  @Exclude()
  class ListOf {
    @Expose()
    @Type(() => type)
    items!: T[];
  }
  return ListOf;
}
