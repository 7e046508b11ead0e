/** The number of databases and servers that the tests in this process have opened. */
export const openedStores = { count: 0 };
