const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Returns the certificates in a text in PEM, each with its lines around it; text between them is left out. */
export function certificatesIn(text: string): string[] {
  return text.split(BEGIN).flatMap((part, at) => {
    const end = part.indexOf(END);
    return at === 0 || end < 0 || part.indexOf('-') !== end ? [] : [`${BEGIN}${part.slice(0, end)}${END}`];
  });
}
