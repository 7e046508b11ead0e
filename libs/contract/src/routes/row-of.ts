/**
 * What may be sent as an instance of a wire class: an instance, or any object with at least its members, each of an
 * assignable type.
 *
 * Not required: methods, and `readonly` members, which the class computes (a getter, a `@Transform` of other fields).
 * Types do not include decorators, so every other public member of the class is required, exposed or not, under its
 * property name, whatever its exposed name is. `null` and absent differ, and so do a `Date` and its text.
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

/** The members of a wire class, with the types of a row. */
export type RowMembers<Sent extends object> = {
  readonly [Name in keyof Sent as IsRequired<Sent, Name, Name>]: RowOf<Sent[Name]>;
} & {
  readonly [Name in keyof Sent as IsComputed<Sent, Name, Name>]?: RowOf<Sent[Name]>;
};

/** Objects that are not sent by their members. */
type SentAsValue =
  Date | Uint8Array | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ((...given: never[]) => unknown);

type IsMethod<Member> = Member extends (...given: never[]) => unknown ? true : false;

type IsRequired<Sent, Name extends keyof Sent, Then> =
  IsMethod<Sent[Name]> extends true ? never : IsReadonly<Sent, Name> extends true ? never : Then;

type IsComputed<Sent, Name extends keyof Sent, Then> =
  IsMethod<Sent[Name]> extends true ? never : IsReadonly<Sent, Name> extends true ? Then : never;

type IsReadonly<Sent, Name extends keyof Sent> = IsSame<Pick<Sent, Name>, Readonly<Pick<Sent, Name>>>;

/** Assignability ignores `readonly`; the identity of two generic functions does not. */
type IsSame<One, Other> =
  (<T>(given: T) => T extends One ? 1 : 2) extends <T>(given: T) => T extends Other ? 1 : 2 ? true : false;
