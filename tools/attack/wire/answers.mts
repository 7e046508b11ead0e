/** The access token in a response of a sign-in. */
export function accessTokenIn(text: string): string | undefined {
  return /"(?:access_?token|token|jwt|id_?token)"\s*:\s*"([^"]+)"/i.exec(text)?.[1];
}

/** The refresh token in a response of a sign-in or a refresh. */
export function refreshTokenIn(text: string): string | undefined {
  return /"refresh_?token"\s*:\s*"([^"]+)"/i.exec(text)?.[1];
}
