/** The number of concurrent requests while a check does not measure. */
const width = 8;

/** Does something with each item, several at a time. */
export async function atOnce<Item>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<unknown>,
  most = width,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const work = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: most }, work));
}
