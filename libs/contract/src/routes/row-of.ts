/**
 * A value that can be sent as a wire class: an instance, or any object with at least its members, each with an assignable type.
 *
 * Methods and `readonly` members are optional, because the class computes them (a getter, a `@Transform` of other fields).
 * Types do not include decorators, so every other public member is required under its property name, whether or not it is
 * exposed or renamed. `null` differs from absent, and a `Date` from its text.
 */
export type RowOf<Sent> = unknown extends Sent
  ? unknown
  : Sent extends SentAsValue
    ? Sent
    : Sent extends readonly (infer Item)[]
      ? readonly RowOf<Item>[]
      : Sent extends object
        ? RowMembers<Sent>
        : Sent;

/** The members of a wire class, with row types. */
export type RowMembers<Sent extends object> = {
  readonly [Name in keyof Sent as IsRequired<Sent, Name, Name>]: RowOf<Sent[Name]>;
} & {
  readonly [Name in keyof Sent as IsComputed<Sent, Name, Name>]?: RowOf<Sent[Name]>;
};

/** The objects that are sent as a value instead of by their members. */
type SentAsValue =
  Date | Uint8Array | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ((...args: never[]) => unknown);

type IsMethod<Member> = Member extends (...args: never[]) => unknown ? true : false;

type IsRequired<Sent, Name extends keyof Sent, Then> =
  IsMethod<Sent[Name]> extends true ? never : IsReadonly<Sent, Name> extends true ? never : Then;

type IsComputed<Sent, Name extends keyof Sent, Then> =
  IsMethod<Sent[Name]> extends true ? never : IsReadonly<Sent, Name> extends true ? Then : never;

type IsReadonly<Sent, Name extends keyof Sent> = IsSame<Pick<Sent, Name>, Readonly<Pick<Sent, Name>>>;

/** Compares two types including `readonly`, which assignability ignores and the identity of two generic functions respects. */
type IsSame<One, Other> =
  (<T>(value: T) => T extends One ? 1 : 2) extends <T>(value: T) => T extends Other ? 1 : 2 ? true : false;
