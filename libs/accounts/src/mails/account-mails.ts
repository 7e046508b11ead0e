import { html, type MailText } from '@app/mail';

/** The facts in a mail with a link that sets a new password. */
export interface PasswordResetFacts {
  readonly email: string;
  /** The link with the token in its fragment, which browsers never send to a server. */
  readonly link: string;
  /** The link's lifetime. */
  readonly minutes: number;
}

/** The facts in the mail about a new password. */
export interface PasswordWasResetFacts {
  readonly email: string;
  /** The request's remote address. */
  readonly ip: string;
  readonly at: Date;
}

/** The facts in the mail about the first proof of an e-mail. */
export type FirstProofFacts = PasswordWasResetFacts;

/** The facts in the mail about a password that a signed-in caller changed. */
export interface PasswordChangedFacts {
  readonly email: string;
  /** The request's remote address, if it is known. */
  readonly ip?: string;
  readonly at: Date;
  /** The number of API keys that still work. */
  readonly apiKeys: number;
  /** Whether an administrator set the password and therefore knows it. */
  readonly mustChangePassword?: boolean;
}

/** The facts in the mail about a sign-in from a new device. */
export interface NewDeviceFacts {
  readonly email: string;
  /** The request's remote address. */
  readonly ip: string;
  /** The device, such as `Firefox on Windows`: a few words that a client cannot choose freely. */
  readonly device: string | undefined;
  readonly at: Date;
}

/** A change of a factor. */
export type FactorChange = 'enrolled' | 'ended' | 'replaced';

/** The facts in the mail about a factor. */
export interface FactorChangedFacts {
  readonly email: string;
  /** The factor's title, such as `An authenticator application`. */
  readonly factor: string;
  readonly change: FactorChange;
  /** Whether an operator changed the factor. */
  readonly isByOperator: boolean;
  /** The remote address from which the owner sent the request. */
  readonly ip?: string;
  readonly at: Date;
}

/** The facts in a mail with a link that confirms an e-mail. */
export interface EmailVerificationFacts {
  /** The e-mail to confirm, to which the mail is sent. */
  readonly email: string;
  /** The link with the token in its fragment. */
  readonly link: string;
  /** The link's lifetime. */
  readonly hours: number;
}

/** The facts in a mail about a changed e-mail, to the former and the new e-mail. */
export interface EmailChangedFacts {
  /** The former e-mail. */
  readonly email: string;
  readonly newEmail: string;
  /** The remote address that changed or confirmed it, if it is known. */
  readonly ip?: string;
  readonly at: Date;
  /** The link that undoes the change, with the token in its fragment; absent if only an operator can undo the change. */
  readonly link?: string;
  /** The link's lifetime. */
  readonly days: number;
}

/** The facts in a mail with a code that signs in. */
export interface EmailCodeFacts {
  readonly email: string;
  /** The code: six digits. */
  readonly code: string;
  /** The link with the code in its fragment. */
  readonly link: string;
}

/** The facts for the text of each account mail. */
export interface MailFacts {
  readonly passwordReset: PasswordResetFacts;
  readonly passwordWasReset: PasswordWasResetFacts;
  readonly passwordChanged: PasswordChangedFacts;
  readonly firstProof: FirstProofFacts;
  readonly newDevice: NewDeviceFacts;
  readonly factorChanged: FactorChangedFacts;
  readonly emailVerification: EmailVerificationFacts;
  readonly emailChanged: EmailChangedFacts;
  readonly emailCode: EmailCodeFacts;
}

/** The texts of all account mails. An application may replace each text. */
export type AccountMails = {
  readonly [Name in keyof MailFacts]: (facts: MailFacts[Name]) => MailText;
};

/** The default texts. */
export const accountMails: AccountMails = {
  passwordReset: ({ email, link, minutes }) => ({
    subject: 'Set a new password',
    link,
    text: `Somebody, probably you, asked for a new password for ${email}.

Open this link within ${minutes} minutes to set it:

${link}

If it was not you, ignore this mail: your password stays as it is.
`,
    html: html`<p>Somebody, probably you, asked for a new password for ${email}.</p>
      <p><a href="${link}">Set a new password</a> within ${minutes} minutes.</p>
      <p>If it was not you, ignore this mail: your password stays as it is.</p> `,
  }),
  passwordWasReset: ({ email, ip, at }) => {
    const facts = `A new password was set for ${email} at ${at.toUTCString()}, from the address ${ip}.`;
    const effects = 'Every session and every API key of the account has ended.';
    const advice =
      'If it was not you, somebody else can read your mail: secure it first, then set a new password.';
    return {
      subject: 'Your password was changed',
      text: `${facts}\n\n${effects}\n\n${advice}\n`,
      html: html`<p>${facts}</p>
        <p>${effects}</p>
        <p>${advice}</p> `,
    };
  },
  firstProof: ({ email, ip, at }) => {
    const facts = `You signed in to ${email} by mail for the first time at ${at.toUTCString()}, from the address ${ip}.`;
    const effects =
      'Until then, somebody else could have created the account. Its password, sessions, API keys and factors have ended.';
    const advice = 'To sign in with a password again, ask for a new password where you sign in.';
    return {
      subject: 'Your e-mail is confirmed',
      text: `${facts}\n\n${effects}\n\n${advice}\n`,
      html: html`<p>${facts}</p>
        <p>${effects}</p>
        <p>${advice}</p> `,
    };
  },
  passwordChanged: ({ email, ip, at, apiKeys, mustChangePassword = false }) => {
    const from = ip === undefined ? '' : `, from the address ${ip}`;
    const facts = `The password of ${email} was changed at ${at.toUTCString()}${from}.`;
    const effects = `Every other session of the account has ended. ${keysText(apiKeys)}`;
    const next = 'An administrator set it: you will have to choose another one when you sign in.';
    const advice = 'If it was not you, ask for a new password where you sign in: that ends API keys as well.';
    return {
      subject: 'Your password was changed',
      text: `${facts}${mustChangePassword ? ` ${next}` : ''}\n\n${effects}\n\n${advice}\n`,
      html: html`<p>${facts}${mustChangePassword ? ` ${next}` : ''}</p>
        <p>${effects}</p>
        <p>${advice}</p> `,
    };
  },
  newDevice: ({ email, ip, device = 'an unknown device', at }) => {
    const facts = `Somebody signed in as ${email} at ${at.toUTCString()}, with ${device}, from the address ${ip}. The account did not sign in like this lately.`;
    const advice = 'If it was you, ignore this mail. If not, set a new password: that ends every session.';
    return {
      subject: 'A sign-in from a new device',
      text: `${facts}\n\n${advice}\n`,
      html: html`<p>${facts}</p>
        <p>${advice}</p> `,
    };
  },
  factorChanged: ({ email, factor, change, isByOperator, ip, at }) => {
    const by = isByOperator ? ' by an operator' : '';
    const from = ip === undefined ? '' : `, from the address ${ip}`;
    const facts = `${factor}: ${factorTexts[change]}. Account: ${email}, changed${by} at ${at.toUTCString()}${from}.`;
    const advice =
      'If it was not you, set a new password, which ends every session, and ask an operator for help.';
    return {
      subject: 'The ways to sign in to your account were changed',
      text: `${facts}\n\n${advice}\n`,
      html: html`<p>${facts}</p>
        <p>${advice}</p> `,
    };
  },
  emailVerification: ({ email, link, hours }) => ({
    subject: 'Confirm your e-mail',
    link,
    text: `Somebody, probably you, gave ${email} as the e-mail of an account.

Open this link within ${hours} hours, and sign in to that account, to confirm it:

${link}

If it was not you, ignore this mail.
`,
    html: html`<p>Somebody, probably you, gave ${email} as the e-mail of an account.</p>
      <p><a href="${link}">Confirm this e-mail</a> within ${hours} hours, and sign in to that account.</p>
      <p>If it was not you, ignore this mail.</p> `,
  }),
  emailChanged: ({ email, newEmail, ip, at, link, days }) => {
    const from = ip === undefined ? '' : `, from the address ${ip}`;
    const facts = `The e-mail of your account is ${newEmail} now, and no longer ${email}. It was changed at ${at.toUTCString()}${from}.`;
    const subject = 'The e-mail of your account was changed';
    if (link === undefined) return { subject, text: `${facts}\n`, html: html`<p>${facts}</p> ` };
    const advice = `If it was not you, open this link within ${days} days. It gives the account its e-mail back, ends all access to it, and sets a new password:`;
    return {
      subject,
      link,
      text: `${facts}\n\n${advice}\n\n${link}\n`,
      html: html`<p>${facts}</p>
        <p>${advice} <a href="${link}">undo the change</a></p> `,
    };
  },
  emailCode: ({ email, code, link }) => {
    const [first, then] = [`Sign in to ${email} with the code`, 'in the same browser, within ten minutes'];
    return {
      subject: 'Your code to sign in',
      link,
      text: `${first} ${code}, or open this link ${then}:\n\n${link}\n\nIf it was not you, ignore this mail.\n`,
      html: html`<p>${first} <b>${code}</b>, or <a href="${link}">by this link</a> ${then}.</p>
        <p>If it was not you, ignore this mail.</p> `,
    };
  },
};

const factorTexts: Readonly<Record<FactorChange, string>> = {
  enrolled: 'added to the ways to sign in to your account',
  ended: 'removed from the ways to sign in to your account',
  replaced: 'replaced, the previous ones do not work any more',
};

function keysText(count: number): string {
  if (count === 0) return 'It has no API keys.';
  const keys = count === 1 ? 'One API key still works' : `${count} API keys still work`;
  return `${keys}: end those that you do not need.`;
}
