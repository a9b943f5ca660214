import { type FieldNames, fieldNameAt } from './field-names.ts';
import { recordField } from './record-fields.ts';

/** Offset of the root directory record in a volume descriptor. */
const TOP = 156;

/** Fields of a primary or supplementary volume descriptor (ECMA-119 8.4, 8.5). */
const fields: FieldNames = [
  [0, 'volume descriptor type'],
  [1, 'standard identifier'],
  [6, 'volume descriptor version'],
  [7, 'volume flags'],
  [8, 'system identifier'],
  [40, 'volume identifier'],
  [72, 'unused field'],
  [80, 'volume space size'],
  [88, 'escape sequences'],
  [120, 'volume set size'],
  [124, 'volume sequence number'],
  [128, 'logical block size'],
  [132, 'path table size'],
  [140, 'location of the L path table'],
  [144, 'location of the optional L path table'],
  [148, 'location of the M path table'],
  [152, 'location of the optional M path table'],
  [TOP, 'root directory record'],
  [190, 'volume set identifier'],
  [318, 'publisher identifier'],
  [446, 'data preparer identifier'],
  [574, 'application identifier'],
  [702, 'copyright file identifier'],
  [739, 'abstract file identifier'],
  [776, 'bibliographic file identifier'],
  [813, 'volume creation date and time'],
  [830, 'volume modification date and time'],
  [847, 'volume expiration date and time'],
  [864, 'volume effective date and time'],
  [881, 'file structure version'],
  [882, 'reserved field'],
  [883, 'application use'],
  [1395, 'reserved field'],
];

/** Names the field of a volume descriptor in which its byte `at` lies, as ECMA-119 calls it. */
export function descriptorField(at: number): string {
  const field = fieldNameAt(fields, at);
  return field === 'root directory record' ? `${field}, ${recordField(at - TOP, 1, [])}` : field;
}
