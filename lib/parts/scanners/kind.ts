import type { ScannerDatabase } from '../../../formats/vulnerabilities/grype.ts';
import type { Vulnerability } from '../../../formats/vulnerabilities/vulnerability.ts';

/** The scanners that can be used, in the order in which they are looked for. */
export const scannerNames = ['grype', 'trivy'] as const;

/** The name of a scanner, as the program has it. */
export type ScannerName = (typeof scannerNames)[number];

/** How a program that knows vulnerabilities is run, and how what it prints is read. */
export interface ScannerKind {
  readonly name: ScannerName;
  /** Arguments that make it print of its database, and how to read that; `database` is the folder of it. */
  readonly status: (database: string) => ScannerCall<ScannerDatabase>;
  /** The same for the vulnerabilities of the SBOM in a file. */
  readonly scan: (database: string, sbom: string) => ScannerCall<Vulnerability[]>;
  /** What a user types, on a machine with a network, to get a database into a folder. */
  readonly update: (database: string) => string;
}

/** A run of a program. */
export interface ScannerCall<T> {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Throws `FormatError` `json-invalid`. */
  readonly parse: (bytes: Uint8Array) => T;
  /** Whether what it prints counts although it ended with a code other than 0. */
  readonly mayFail?: true;
}
