import type { Queries } from '@app/persistence';
import { amrOf, type EnrolledFactor, type SignInFactor, type VerifiedFactors } from './sign-in-factor';

/** The factors of a program. */
export class SignInFactors {
  /** @throws TypeError for two factors of one kind */
  constructor(readonly all: readonly SignInFactor[] = []) {
    const kinds = all.map(({ kind }) => kind);
    const twice = kinds.find((kind, place) => kinds.indexOf(kind) !== place);
    if (twice !== undefined) throw new TypeError(`there are two factors ${twice}: give one another kind`);
  }

  find(kind: string): SignInFactor | undefined {
    return this.all.find((factor) => factor.kind === kind);
  }

  /** What an account has enrolled of all factors. */
  async list(accountId: number, db?: Queries): Promise<EnrolledFactor[]> {
    const lists: (readonly EnrolledFactor[])[] = [];
    // One connection runs one statement at a time.
    for (const factor of this.all) lists.push(await factor.list(accountId, db));
    return lists.flat();
  }

  /** Whether an account has enrolled a second factor. */
  async hasSecond(accountId: number): Promise<boolean> {
    for (const factor of this.all)
      if (factor.role === 'second' && (await factor.list(accountId)).length > 0) return true;
    return false;
  }

  /**
   * The factors of which a sign-in requires one more.
   *
   * @param verified so far
   * @returns their kinds; empty if nothing is required
   */
  async pendingOf(accountId: number, verified: VerifiedFactors, db?: Queries): Promise<string[]> {
    if (amrOf(verified).includes('mfa')) return [];
    const enrolled = new Set((await this.list(accountId, db)).map(({ kind }) => kind));
    const isOpen = ({ kind }: SignInFactor) =>
      enrolled.has(kind) && verified.every((factor) => factor.kind !== kind);
    const second = this.all.filter((factor) => factor.role === 'second' && isOpen(factor));
    if (second.length === 0) return [];
    const backup = this.all.filter((factor) => factor.role === 'backup' && isOpen(factor));
    return [...second, ...backup].map(({ kind }) => kind);
  }
}
