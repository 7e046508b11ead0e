import { Exclude, Expose, Type } from 'class-transformer';

/** A closed class around a list of another class, as pages have it. */
export function listOf<T extends object>(type: new () => T): new () => { items: T[] } {
  @Exclude()
  class ListOf {
    @Expose()
    @Type(() => type)
    items!: T[];
  }
  return ListOf;
}
