import type { paths } from './api';
import { ListError } from './errors';
import { acceptsProblems, problemIn } from './problems';
import type { Send } from './session';

/** A route with a page of a list. */
interface PagedRoute<Item> {
  readonly get: {
    readonly responses: {
      readonly 200: { readonly content: { readonly 'application/json': { readonly items: Item[] } } };
    };
  };
}

/** The paths of lists. */
export type ListPath<Paths = paths> = {
  [Path in keyof Paths & string]: Paths[Path] extends PagedRoute<unknown> ? Path : never;
}[keyof Paths & string];

/** An element of a list. */
export type ItemOf<Route> = Route extends PagedRoute<infer Item> ? Item : never;

/** A list route's query, and its path values if the path has parameters. */
export type ListArguments<Route> = Route extends {
  get: { parameters: { query?: infer Query; path?: infer Values } };
}
  ? [Values] extends [undefined]
    ? [query?: Query]
    : [query: Query | undefined, path: Values]
  : never;

/** Reads a list to its end, a page at a time; see {@link listItems}. */
export type ListItems<Paths = paths> = <Path extends ListPath<Paths>>(
  path: Path,
  ...parameters: ListArguments<Paths[Path]>
) => AsyncGenerator<ItemOf<Paths[Path]>>;

const next = /<([^>]*)>\s*;\s*rel="next"/;

/**
 * Makes a function that yields every element in a list. It follows the `next` link on each page.
 *
 * @throws ListError from the generator, for a response other than 200
 */
export function listItems<Paths = paths>(baseUrl: string, send: Send): ListItems<Paths> {
  return async function* items(path, ...[query, values]) {
    const url = `${baseUrl.replace(/\/$/, '')}${filled(path, values ?? {})}`;
    let search: string | undefined = searchOf(query ?? {});
    while (search !== undefined) {
      const response = await send(new Request(url + search, { headers: { accept: acceptsProblems } }));
      const text = await response.text();
      if (response.status !== 200) throw listError(path, response, text);
      const page: { readonly items: ItemOf<Paths[typeof path]>[] } = JSON.parse(text);
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

function filled(path: string, values: object): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(values, name))),
  );
}

function searchOf(query: object): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((single) => [name, single]),
  );
  const sent = entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  return sent.length === 0 ? '' : `?${new URLSearchParams(sent).toString()}`;
}
