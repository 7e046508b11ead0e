import { type Code, code } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { RuleMessage } from '../run/message-text';

/**
 * Generates a failed rule's message, as an expression.
 *
 * @param object the message argument: the instance, or the class that declared the rule
 */
export function writeMessage(message: RuleMessage, object: Code, scope: Scope): Code {
  if ('always' in message) return code`${message.always}`;
  return code`${scope.hoist(message.say, 'say')}(${object}, value)`;
}
