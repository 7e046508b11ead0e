import type { paths } from './api';
import { ListError } from './errors';
import { acceptsProblems, problemIn } from './problems';
import type { Send } from './session';

/** A response with a page of a list. */
interface PagedResponse<Item> {
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { readonly items: Item[] } } };
  };
}

/** The paths of lists. */
export type ListPath = {
  [Path in keyof paths]: Path extends `${string}{${string}`
    ? never
    : paths[Path] extends { get: PagedResponse<unknown> }
      ? Path
      : never;
}[keyof paths];

/** One element of a list. */
export type ItemOf<Path extends ListPath> = paths[Path] extends { get: PagedResponse<infer Item> }
  ? Item
  : never;

/** The query of a list. */
export type QueryOf<Path extends ListPath> = paths[Path] extends {
  get: { parameters: { query?: infer Query } };
}
  ? Query
  : never;

/** Reads a list to its end, a page at a time; see {@link listItems}. */
export type ListItems = <Path extends ListPath>(
  path: Path,
  query?: QueryOf<Path>,
) => AsyncGenerator<ItemOf<Path>>;

const next = /<([^>]*)>\s*;\s*rel="next"/;

/**
 * Makes a function that yields every element of a list: it follows the `next` link of each page.
 *
 * @throws ListError from the generator, for a response other than 200
 */
export function listItems(baseUrl: string, send: Send): ListItems {
  return async function* items<Path extends ListPath>(path: Path, query?: QueryOf<Path>) {
    let search: string | undefined = searchOf(query ?? {});
    while (search !== undefined) {
      const url = `${baseUrl.replace(/\/$/, '')}${path}${search}`;
      const response = await send(new Request(url, { headers: { accept: acceptsProblems } }));
      const text = await response.text();
      if (response.status !== 200) throw listError(path, response, text);
      const page: { readonly items: ItemOf<Path>[] } = JSON.parse(text);
      yield* page.items;
      const [, link] = next.exec(response.headers.get('link') ?? '') ?? [];
      search = link === undefined ? undefined : new URL(link, baseUrl).search;
    }
  };
}

function listError(path: string, response: Response, text: string): ListError {
  const problem = problemIn(response, text);
  return new ListError(path, response.status, text, problem === undefined ? undefined : JSON.parse(problem));
}

function searchOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
