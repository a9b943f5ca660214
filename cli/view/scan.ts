import { isAsBad, severities } from '../../lib/command.ts';
import type { ScannedImage, ScanResult, Severity } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** How many things that an SBOM lacks are printed; JSON has all. */
const UNREAD = 3;

/** Whether a scan found something that counts and is as bad as `least`, or could not look into an image. */
export function failsScan({ images, unscanned }: ScanResult, least: Severity): boolean {
  return (
    unscanned.length > 0 ||
    images.some(({ vulnerabilities }) => vulnerabilities.some(({ vex, severity }) => !vex && isAsBad(severity, least)))
  );
}

/** Prints for each image what counts, the worst first, and then what does not and what is not known. */
export function scanView(result: ScanResult, style: Style): string[] {
  const { scanner, database, images, unscanned, sarif, attestation } = result;
  const built = new Date(database.built * 1000).toISOString().slice(0, 10);
  const written = [sarif, attestation].filter((path) => path !== undefined);
  return [
    style.bold(`${plain(result.name)} ${plain(result.version)}`),
    `  scanned by ${scanner.name} ${plain(scanner.version)}, with a database of ${built}`,
    ...images.flatMap((image) => imageLines(image, style)),
    ...unscanned.map((one) => `${plain(nameOf(one))}: not scanned, because the archive has no SBOM of it`),
    '',
    totalLine(images),
    ...written.map((path) => `wrote ${plain(path)}`),
  ];
}

function imageLines(image: ScannedImage, style: Style): string[] {
  const { vulnerabilities, unread } = image;
  const counted = vulnerabilities.filter(({ vex }) => !vex);
  const rows = counted.map(({ severity, id, package: name, version, fixedIn }) => [
    severity,
    plain(id),
    plain(`${name} ${version}`),
    fixedIn.length === 0 ? '' : plain(`fixed in ${fixedIn.join(', ')}`),
  ]);
  const others = vulnerabilities.flatMap(({ vex, id, package: name }) =>
    vex
      ? [
          `  not counted: ${plain(id)} in ${plain(name)}, by VEX: ${plain([vex.status, vex.reason].filter(Boolean).join(', '))}`,
        ]
      : [],
  );
  const more = unread.length > UNREAD ? `; and ${unread.length - UNREAD} more` : '';
  return [
    '',
    style.bold(plain(nameOf(image))),
    ...(rows.length === 0 ? ['  nothing that counts'] : table(rows).map((line) => `  ${line}`)),
    ...others,
    ...(unread.length === 0
      ? []
      : [`  unknown: the SBOM lacks ${unread.slice(0, UNREAD).map(plain).join('; ')}${more}`]),
  ];
}

function totalLine(images: readonly ScannedImage[]): string {
  const all = images.flatMap(({ vulnerabilities }) => vulnerabilities);
  const counted = all.filter(({ vex }) => !vex);
  const parts = [...severities].reverse().flatMap((severity) => {
    const number = counted.filter((one) => one.severity === severity).length;
    return number === 0 ? [] : [`${number} ${severity}`];
  });
  const left = all.length - counted.length;
  return [
    `${count(images.length, 'SBOM')} scanned: ${parts.length === 0 ? 'nothing that counts' : parts.join(', ')}`,
    ...(left === 0 ? [] : [`${left} not counted, by VEX`]),
  ].join('; ');
}

function nameOf({ reference, platform }: { readonly reference: string; readonly platform?: string }): string {
  return [reference, platform].filter((word) => word !== undefined).join(' ');
}
