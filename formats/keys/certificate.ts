import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  bitString,
  derTime,
  derTrue,
  integer,
  integerOf,
  octets,
  oid,
  sequence,
  setOfOne,
  tagOf,
  utf8String,
} from './der.ts';
import { encodePem } from './pem.ts';

/** What a certificate that signs itself says. */
export interface OwnCertificate {
  /** A private key of the curve P-256. */
  readonly key: KeyObject;
  /** What tells it from others of the same name; at most twenty bytes, at random. */
  readonly serial: Uint8Array;
  readonly name: string;
  /** The addresses that it is for, as their bytes: four, or sixteen. */
  readonly addresses: readonly Uint8Array[];
  /** From when and until when it counts, in whole seconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/**
 * Makes a certificate of a server that is its own authority (X.509 v3, RFC 5280): whoever is handed it trusts that
 * server, and no other one. Returns it in PEM.
 */
export function ownCertificate({ key, serial, name, addresses, from, until }: OwnCertificate): string {
  // ecdsa-with-SHA256 (RFC 5758 §3.2).
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
  const named = sequence(setOfOne(sequence(oid('2.5.4.3'), utf8String(name))));
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const body = sequence(
    tagOf(0, integer(2)),
    integerOf(serial),
    algorithm,
    named,
    sequence(derTime(from), derTime(until)),
    named,
    publicKey,
    tagOf(3, sequence(...extensions(addresses))),
  );
  return encodePem('CERTIFICATE', sequence(body, algorithm, bitString(sign('sha256', body, key))));
}

function extensions(addresses: readonly Uint8Array[]): Uint8Array[] {
  const extension = (id: string, content: Uint8Array, critical = false): Uint8Array =>
    sequence(oid(id), ...(critical ? [derTrue] : []), octets(content));
  return [
    // basicConstraints: an authority, of no other ones.
    extension('2.5.29.19', sequence(derTrue, integer(0)), true),
    // keyUsage: digitalSignature and keyCertSign.
    extension('2.5.29.15', bitString(Uint8Array.of(0b1000_0100), 2), true),
    // extKeyUsage: serverAuth.
    extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
    // subjectAltName: iPAddress.
    extension('2.5.29.17', sequence(...addresses.map((address) => tagOf(7, address, false)))),
  ];
}
