import { payloadOf } from '../../../../formats/in-toto/envelope.ts';
import { statementMediaType } from '../../../../formats/in-toto/statement.ts';
import { bundleMediaType } from '../../../../formats/sigstore/bundle.ts';
import { parseStatementBundle } from '../../../../formats/sigstore/dsse-bundle.ts';

/**
 * Media types of what holds a statement, and how to open each, without a look at signatures. They throw `FormatError`.
 */
export const statementWrappings: ReadonlyMap<string, (bytes: Uint8Array) => Uint8Array> = new Map([
  [statementMediaType, (bytes: Uint8Array) => bytes],
  ['application/vnd.dsse.envelope.v1+json', payloadOf],
  [bundleMediaType, (bytes: Uint8Array) => parseStatementBundle(bytes).statement],
]);
