import { html, type MailText } from '@app/mail';

/** The facts in the mail with an invitation. */
export interface InvitationFacts {
  /** The organization's name. */
  readonly organization: string;
  /** The inviting member's e-mail. */
  readonly inviter: string;
  /** The link with the token in its fragment. */
  readonly link: string;
  /** The link's lifetime. */
  readonly days: number;
}

/** Returns the invitation mail's text. */
export function invitationMail({ organization, inviter, link, days }: InvitationFacts): MailText {
  const facts = `${inviter} invites you to the organization "${organization}".`;
  const advice = 'If you do not know the sender, ignore this mail.';
  return {
    subject: 'You are invited to an organization',
    link,
    text: `${facts}\n\nOpen this link within ${days} days to accept:\n\n${link}\n\n${advice}\n`,
    html: html`<p>${facts}</p>
      <p><a href="${link}">Accept the invitation</a> within ${days} days.</p>
      <p>${advice}</p> `,
  };
}
