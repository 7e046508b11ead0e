/** A class whose instances cross the wire. */
export type WireClass<T extends object = object> = new () => T;
