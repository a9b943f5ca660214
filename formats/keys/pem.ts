import { FormatError } from '../error.ts';

/** Encodes bytes as PEM (RFC 7468 §3), in lines of 64 characters. */
export function encodePem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** Returns the label of a text in PEM, such as `PRIVATE KEY`. Undefined if the text is no PEM. */
export function pemLabel(text: string): string | undefined {
  // openssl may write the parameters of the curve before the key. They say nothing that the key does not.
  const labels = [...text.matchAll(/^-----BEGIN ([A-Z0-9 ]+)-----\s*$/gm)].map((match) => match[1]!);
  return labels.find((label) => label !== 'EC PARAMETERS');
}

/** Decodes the first block of the label `label` in a text in PEM. Throws `FormatError` `key-invalid`. */
export function decodePem(label: string, text: string): Uint8Array {
  const [, after] = text.split(`-----BEGIN ${label}-----`);
  const [body, end] = after?.split(`-----END ${label}-----`) ?? [];
  const packed = body?.replace(/\s+/g, '');
  if (packed === undefined || end === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) {
    throw new FormatError('key-invalid', `is not a whole ${label} in PEM`);
  }
  return Buffer.from(packed, 'base64');
}
