/** Makes the value of `Authorization` for `USER:PASSWORD` (Basic, RFC 7617). */
export function basicAuthorization(login: string): string {
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

/** Makes the same of user and password in an address; undefined where it has none. */
export function addressAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return basicAuthorization(`${unescaped(username)}:${unescaped(password)}`);
}

/** Decodes a percent-encoded part of an address; one that is ill-encoded stays as it is. */
export function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
