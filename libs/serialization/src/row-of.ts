/**
 * What may be sent as an instance of a wire class: an instance, or any object with at least its members, each of a type
 * that the member takes.
 *
 * Not required: methods, and `readonly` members, which the class works out (a getter, a `@Transform` of other fields).
 * Decorators are invisible to types, so every other public member of the class is required, exposed or not, under its
 * own name, whatever its name on the wire is. `null` and absent differ, and so do a `Date` and its text.
 */
export type RowOf<Sent> = unknown extends Sent
  ? unknown
  : Sent extends SentWhole
    ? Sent
    : Sent extends readonly (infer Item)[]
      ? readonly RowOf<Item>[]
      : Sent extends object
        ? RowMembers<Sent>
        : Sent;

/** The members of a wire class, as a row holds them. */
export type RowMembers<Sent extends object> = {
  readonly [Name in keyof Sent as IsAsked<Sent, Name, Name>]: RowOf<Sent[Name]>;
} & {
  readonly [Name in keyof Sent as IsWorkedOut<Sent, Name, Name>]?: RowOf<Sent[Name]>;
};

/** Objects that are sent by what they are, not by their members. */
type SentWhole =
  Date | Uint8Array | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ((...given: never[]) => unknown);

type IsMethod<Member> = Member extends (...given: never[]) => unknown ? true : false;

type IsAsked<Sent, Name extends keyof Sent, Then> =
  IsMethod<Sent[Name]> extends true ? never : IsReadonly<Sent, Name> extends true ? never : Then;

type IsWorkedOut<Sent, Name extends keyof Sent, Then> =
  IsMethod<Sent[Name]> extends true ? never : IsReadonly<Sent, Name> extends true ? Then : never;

type IsReadonly<Sent, Name extends keyof Sent> = IsSame<Pick<Sent, Name>, Readonly<Pick<Sent, Name>>>;

/** Assignability ignores `readonly`; the identity of two generic functions does not. */
type IsSame<One, Other> =
  (<T>(given: T) => T extends One ? 1 : 2) extends <T>(given: T) => T extends Other ? 1 : 2 ? true : false;
