/** A class with instances that cross the wire. */
export type WireClass<T extends object = object> = new () => T;
