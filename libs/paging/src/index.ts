export { decodeCursor, encodeCursor, IsCursor } from './cursor';
export { endBySize, type Portion } from './end-by-size';
export { Page, pagedClass, type PageOf } from './page';
export { PaginationQuery } from './pagination-query';
export type { Slice } from './slice';
export { type PageReply, turnPage, type TurnedPage } from './turn-page';
