export { endBySize, type Portion } from './end-by-size';
export { ForeignCursorError, PageTooDeepError } from './errors';
export { Filterable } from './filterable';
export { Page, pagedClass, type PageOf } from './page';
export { paginate } from './paginate';
export { PaginationQuery } from './pagination-query';
export type { Slice } from './slice';
export { Sortable, sortKeysOf } from './sortable';
export { sortedList } from './sorted-list';
