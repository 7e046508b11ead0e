import 'reflect-metadata';
import { Schema } from '@app/contract';
import type { WireClass } from '@app/engine';
import { Exclude, Expose, Type } from 'class-transformer';

/** The page envelope, as it is sent. */
export interface PageOf<T extends object> {
  items: T[];
  /** The number of this page, from 1. */
  page: number;
  /** The most items per page. */
  limit: number;
  /** The number of the next page; `null` on the last. */
  nextPage: number | null;
}

/**
 * Returns the class for a page: `@Returns(Page(User), { groups: ['admin'] })`.
 *
 * Only the four fields in {@link PageOf} are sent. The class is created once per item class, and named after it (`PageOfUser`).
 */
export function Page<T extends object>(type: WireClass<T>): WireClass<PageOf<T>> {
  const pageClass: WireClass<PageOf<T>> = pages.get(type) ?? makePage(type);
  pages.set(type, pageClass);
  itemsOf.set(pageClass, type);
  return pageClass;
}

const pages = new WeakMap<WireClass>();
const itemsOf = new WeakMap<WireClass, WireClass>();

/** The class of a page's items; `undefined` for a class that {@link Page} did not create. */
export function pagedClass(page: WireClass): WireClass | undefined {
  return itemsOf.get(page);
}

function makePage<T extends object>(type: WireClass<T>): WireClass<PageOf<T>> {
  @Exclude()
  class PageOfType implements PageOf<T> {
    @Expose()
    @Type(() => type)
    items!: T[];

    @Expose()
    @Schema({ type: 'integer', minimum: 1 })
    page!: number;

    @Expose()
    @Schema({ type: 'integer', minimum: 1 })
    limit!: number;

    @Expose()
    @Schema({ type: ['integer', 'null'], minimum: 2, description: 'The next page; null on the last.' })
    nextPage!: number | null;
  }
  Object.defineProperty(PageOfType, 'name', { value: `PageOf${type.name}` });
  return PageOfType;
}
