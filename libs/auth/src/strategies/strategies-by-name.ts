import { InterchangeableTokensError } from '../errors';
import type { Strategy } from './strategy';
import { AccessTokens } from '../tokens/access-tokens';

/** The registered strategies; the first is the default. */
export type StrategiesByName = ReadonlyMap<string, Strategy>;

/**
 * Maps strategies by name.
 *
 * @throws TypeError if the list is empty or has a duplicate name
 * @throws InterchangeableTokensError if a strategy would accept a token from a different strategy, unless both share an
 *   `AccessTokens` instance
 */
export function registerStrategies(strategies: readonly Strategy[]): StrategiesByName {
  const byName = new Map<string, Strategy>();
  for (const strategy of strategies) {
    if (byName.has(strategy.name)) throw new TypeError(`Two strategies are named '${strategy.name}'.`);
    checkNotInterchangeable(strategy, byName.values());
    byName.set(strategy.name, strategy);
  }
  if (byName.size === 0) throw new TypeError('AuthModule needs at least one strategy.');
  return byName;
}

function checkNotInterchangeable(strategy: Strategy, others: Iterable<Strategy>): void {
  const tokens = tokensOf(strategy);
  if (!tokens) return;
  for (const peer of others) {
    const theirs = tokensOf(peer);
    if (theirs && theirs !== tokens && tokens.isInterchangeableWith(theirs)) {
      throw new InterchangeableTokensError([peer.name, strategy.name]);
    }
  }
}

function tokensOf(strategy: Strategy): AccessTokens | undefined {
  return 'tokens' in strategy && strategy.tokens instanceof AccessTokens ? strategy.tokens : undefined;
}
