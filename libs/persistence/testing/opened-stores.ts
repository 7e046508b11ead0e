/** How many databases and servers the tests of this process have opened. */
export const openedStores = { count: 0 };
