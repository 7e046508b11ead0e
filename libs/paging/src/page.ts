import 'reflect-metadata';
import { Schema } from '@app/shapes';
import { Exclude, Expose, Type } from 'class-transformer';
import type { WireClass } from '@app/serialization';

/** A part of a list, as it crosses the wire. */
export interface PageOf<T extends object> {
  items: T[];
  /** Which page this is, counted from 1. */
  page: number;
  /** How many items a page holds at most. */
  limit: number;
  /** The number of the page after this one; `null` when this is the last. */
  nextPage: number | null;
}

/**
 * The class of a page of another class: `@Answers(Page(User), { groups: ['admin'] })`.
 *
 * Closed: nothing but the four fields of {@link PageOf} leaves. Made once for each class, and named after it
 * (`PageOfUser`).
 */
export function Page<T extends object>(type: WireClass<T>): WireClass<PageOf<T>> {
  const made: WireClass<PageOf<T>> = pages.get(type) ?? makePage(type);
  pages.set(type, made);
  itemsOf.set(made, type);
  return made;
}

const pages = new WeakMap<WireClass>();
const itemsOf = new WeakMap<WireClass, WireClass>();

/** The class whose page another class is; `undefined` for one that {@link Page} did not make. */
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
    @Schema({ type: ['integer', 'null'], minimum: 2, description: 'Null on the last page.' })
    nextPage!: number | null;
  }
  Object.defineProperty(PageOfType, 'name', { value: `PageOf${type.name}` });
  return PageOfType;
}
