import type { InvalidValue } from '@app/client';

/** Returns a German message for the user from the code and arguments of a violated rule. */
export function inGerman(value: InvalidValue): string {
  switch (value.code) {
    case 'isEmail':
      return 'Das ist keine E-Mail-Adresse.';
    case 'email-conflict':
      return 'Diese E-Mail-Adresse ist schon vergeben.';
    case 'minLength':
      return `Bitte mindestens ${value.params.min} Zeichen.`;
    default:
      return value.detail;
  }
}
