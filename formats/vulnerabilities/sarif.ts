import { encodeJson } from '../json.ts';
import type { VexVerdict } from './openvex.ts';
import type { Severity, Vulnerability } from './vulnerability.ts';

/** A vulnerability in an image, and why it does not count, where that is so. */
export interface JudgedVulnerability extends Vulnerability {
  readonly vex?: VexVerdict;
}

/** An image of which an SBOM was scanned. */
export interface SarifImage {
  /** Reference, with the platform where there is one. */
  readonly name: string;
  readonly vulnerabilities: readonly JudgedVulnerability[];
}

/** What found them. */
export interface SarifTool {
  readonly name: string;
  readonly version: string;
}

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  negligible: 'note',
  unknown: 'warning',
};

/**
 * Scores that services sort by, in the middle of the range of each severity (CVSS 3.1, "Qualitative Severity Rating
 * Scale").
 */
const scores: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  negligible: '0.1',
  unknown: '0.0',
};

/**
 * Encodes vulnerabilities as SARIF 2.1.0 (OASIS). One that does not count by VEX is a suppressed result. The same
 * values give the same bytes.
 */
export function encodeSarif(tool: SarifTool, archive: string, images: readonly SarifImage[]): Uint8Array {
  const rules = new Map<string, Vulnerability>();
  for (const { vulnerabilities } of images)
    for (const one of vulnerabilities) if (!rules.has(one.id)) rules.set(one.id, one);
  return encodeJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules: [...rules.values()].map(ruleOf) } },
        results: images.flatMap(({ name, vulnerabilities }) =>
          vulnerabilities.map((one) => resultOf(one, name, archive)),
        ),
      },
    ],
  });
}

function ruleOf({ id, severity, url }: Vulnerability): object {
  return {
    id,
    shortDescription: { text: `${id} (${severity})` },
    ...(url === undefined ? {} : { helpUri: url }),
    properties: { 'security-severity': scores[severity], tags: ['security'] },
  };
}

function resultOf(one: JudgedVulnerability, image: string, archive: string): object {
  const fixed = one.fixedIn.length === 0 ? 'no version without it is known' : `fixed in ${one.fixedIn.join(', ')}`;
  return {
    ruleId: one.id,
    level: levels[one.severity],
    message: { text: `${one.package} ${one.version} in ${image}: ${fixed}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: encodeURI(archive) } },
        logicalLocations: [
          { name: one.package, fullyQualifiedName: `${image}/${one.purl ?? one.package}`, kind: 'module' },
        ],
      },
    ],
    partialFingerprints: { 'solpack/v1': `${image} ${one.id} ${one.purl ?? `${one.package}@${one.version}`}` },
    ...(one.vex === undefined
      ? {}
      : {
          suppressions: [
            {
              kind: 'external',
              status: 'accepted',
              justification: [one.vex.status, one.vex.reason].filter((word) => word !== undefined).join(': '),
            },
          ],
        }),
  };
}
