export { endBySize, type Portion } from './end-by-size';
export { Page, pagedClass, type PageOf } from './page';
export { paginate } from './paginate';
export { PaginationQuery } from './pagination-query';
export type { Slice } from './slice';
