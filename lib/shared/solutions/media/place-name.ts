import { hexOf, sha256 } from '../../../../formats/digest.ts';
import { formatReference } from '../../../../formats/oci/reference.ts';
import { isHeld, isInRegistry } from '../../../kernel/content/index.ts';
import { redact } from '../../../kernel/events/index.ts';
import type { ArchivePlace } from './kind.ts';

/** How many digits of a digest tell queries apart. */
const DIGITS = 12;

/**
 * How messages name a place, which no other place is named: its path, its reference, or its address without user,
 * password and query, where tokens live. Of a query it has the beginning of its SHA-256 in hexadecimal, which
 * distinguishes two of them.
 */
export function placeName(place: ArchivePlace): string {
  if (typeof place === 'string') return place;
  if (isHeld(place)) return place.path;
  if (isInRegistry(place)) return formatReference(place.reference);
  const { href, search } = place.url;
  return search === '' ? redact(href) : `${redact(href)} (${hexOf(sha256(search)).slice(0, DIGITS)})`;
}
