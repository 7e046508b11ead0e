/**
 * A link into the application that users open. The token stands in the fragment, which browsers send to no server, so that
 * no log and no `Referer` has it.
 *
 * @param appUrl where the application is, with a path or without
 * @param page   path below it, without a leading slash
 */
export function linkTo(appUrl: string, page: string, token: string): string {
  const url = new URL(appUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${page}`;
  url.hash = `token=${token}`;
  return url.href;
}
