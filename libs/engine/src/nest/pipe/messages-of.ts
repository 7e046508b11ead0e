import type { ValidationError } from 'class-validator';

/** Returns the error messages in the order in which Nest's pipe sends them. Messages of nested errors follow their path. */
export function messagesOf(errors: readonly ValidationError[], path = '', messages: string[] = []): string[] {
  for (const { property, constraints, children } of errors) {
    for (const name in constraints) messages.push(path ? `${path}.${constraints[name]}` : constraints[name]);
    if (children?.length) messagesOf(children, path ? `${path}.${property}` : property, messages);
  }
  return messages;
}
