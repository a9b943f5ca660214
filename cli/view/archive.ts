import { shortKey, sizeWords } from '../../lib/command.ts';
import type { Inspection, ListedEntry, PackResult, Verification } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { attestationsView } from './attestations.ts';
import { deltaLines } from './delta.ts';
import { relationsView, upgradeView } from './relations.ts';
import { type Style, table } from './style.ts';

/** Describes a packed archive for a person. */
export function packView(result: PackResult, style: Style): string[] {
  const { delta, name, version, root, path, size, images, components, installer, keyId } = result;
  const programs = installer ? `, an installer for ${installer.join(' and ')}` : '';
  return [
    `${style.good('packed')} ${style.bold(`${name} ${version}`)}  ${sizeWords(size)}`,
    ...table([
      ['  archive', plain(path)],
      ['  root', root],
      ['  holds', `${count(components, 'component')}, ${count(images, 'image')}${programs}`],
      [
        '  signed',
        keyId === undefined ? 'not yet: solpack sign --private-key NAME.key ARCHIVE' : `by key ${shortKey(keyId)}`,
      ],
    ]),
    ...(delta ? deltaLines(delta) : []),
  ];
}

/** Describes what an archive says about itself, for a person; with `lists`, each attestation too. */
export function inspectionView(result: Inspection, style: Style, lists: boolean): string[] {
  const { name, version, root, carrier, size, components, images, signatures, signatureSlots, description } = result;
  const lines = [
    `${style.bold(`${plain(name)} ${plain(version)}`)}  ${sizeWords(size)} ${carrier}`,
    ...(description === undefined ? [] : [`  ${plain(description)}`]),
    `  root ${root}`,
    ...releaseOf(result),
    ...closureOf(result),
    ...relationsView(result.relations),
    ...upgradeView(result.name, result.upgrade),
    ...mediumOf(result),
    ...(result.delta ? deltaLines(result.delta) : []),
    '',
    style.bold(count(components.length, 'component')),
    ...table(
      components
        .map((component) => [
          `  ${component.name}`,
          component.kind,
          component.version ?? '',
          sizeWords(component.size),
          [
            component.namespace ? `in ${component.namespace}` : '',
            component.render ? 'rendered on the node alone' : '',
            component.ready || component.endpoints
              ? count((component.ready?.length ?? 0) + (component.endpoints?.length ?? 0), 'probe')
              : '',
          ]
            .filter(Boolean)
            .join(', '),
        ])
        .map((row) => row.map(plain)),
      [3],
    ),
    '',
    `${style.bold(count(images.length, 'image'))}${result.sharedBytes > 0 ? `  ${sizeWords(result.sharedBytes)} shared between them` : ''}`,
    ...table(
      images.map((image) =>
        [`  ${image.reference}`, short(image.digest), sizeWords(image.size), contentsOf(image)].map(plain),
      ),
      [2],
    ),
    '',
    ...installerOf(result, style),
    `${style.bold(count(signatures.length, 'signature'))}  of ${signatureSlots} slots; "solpack verify --key" checks them`,
    ...table(
      signatures.map((signature) => [
        `  slot ${signature.slot}`,
        signature.algorithm,
        `key ${shortKey(signature.keyId)}`,
      ]),
    ),
    '',
    ...attestationsView(result.attestations, style, lists),
  ];
  return lines.filter((line, index) => line !== '' || lines[index - 1] !== '');
}

/** Reports a medium that solpack did not pack what it is, and what is amiss with it. */
function mediumOf({ medium }: Inspection): string[] {
  if (medium === undefined) return [];
  const { faults, unused, unproved } = medium;
  const by = medium.era === 'manifest' ? 'manifest.yaml' : 'product.txt';
  return [
    `  a medium for MetalK8s, by its ${by}: it has no root of its own; the root is that of the archive that would hold it`,
    `  nothing on it says what bytes ${count(unproved.length, 'file')} have to have`,
    ...(unused.length === 0 ? [] : [`  not installed from here: ${unused.map(plain).join(', ')}`]),
    ...faults.map(({ path, message }) => `  ${plain(path)} holds no image: ${plain(message)}`),
  ];
}

/** Lists the programs and the keys that are included. */
function installerOf({ installer }: Inspection, style: Style): string[] {
  if (installer === undefined) return [];
  const rows = installer.map(({ path, digest, size }) => [`  ${plain(path)}`, short(digest), sizeWords(size)]);
  return [style.bold('an installer'), ...table(rows, [2]), ''];
}

/** Describes what policies check besides signatures. */
function releaseOf({ sequence, expires }: Inspection): string[] {
  return [
    ...(sequence === undefined ? [] : [`  sequence ${sequence}`]),
    ...(expires === undefined ? [] : [`  expires ${new Date(1000 * expires).toISOString().replace('.000Z', 'Z')}`]),
  ];
}

/** Describes what clusters it is for, and what was proved about it when it was packed. */
function closureOf({ kubernetes, closure, components, externalImages }: Inspection): string[] {
  const left = components.filter(({ kind, render }) => kind === 'plugin' || render === 'install');
  const versions = closure?.kubernetes.length
    ? `Kubernetes ${closure.kubernetes.join(', ')}`
    : "Helm's own Kubernetes version";
  const but = left.length === 0 ? '' : `, except ${left.map(({ name }) => plain(name)).join(', ')}`;
  return [
    ...(kubernetes === undefined ? [] : [`  for Kubernetes ${plain(kubernetes)}`]),
    ...(closure === undefined ? [] : [`  proved to be closed for ${versions}${but}`]),
    ...(externalImages === undefined ? [] : [`  sites bring ${externalImages.map(plain).join(', ')}`]),
  ];
}

/** Describes what was found in an archive, for a person. */
export function verificationView(result: Verification, path: string, style: Style): string[] {
  const { ok, trusted, findings, name, version, root, size, signers, contentOnly, medium } = result;
  const checked = medium
    ? `the images of this medium for MetalK8s are what their manifests say${medium.checksum ? `, and all of it is what ${plain(medium.checksum.path)} says` : ''}`
    : contentOnly
      ? 'all contents match the root; nothing else was checked'
      : 'every byte matches the root';
  const what = name === undefined ? plain(path) : `${plain(name)} ${plain(version ?? '')}`;
  const wrong = findings.every(({ code }) => code === 'unproved') ? 'not proved' : 'not intact';
  const title = ok
    ? trusted === undefined
      ? 'intact, not verified'
      : style.good('verified')
    : style.bad(trusted === false ? 'not trusted' : wrong);
  const signed =
    signers.length > 0
      ? `signed by key ${signers.map(shortKey).join(', ')}`
      : 'signatures were not checked: give --key, --fingerprint or --policy';
  return [
    `${title} ${style.bold(what)}  ${sizeWords(size)}`,
    `  root ${root}`,
    ...(result.delta ? completionLines(result.delta) : []),
    ...(ok ? [`  ${checked}`, `  ${signed}`] : [`  ${count(findings.length, 'finding')}:`]),
    ...table(findings.map(({ code, subject, message }) => [`  ${code}`, `${plain(subject)}: ${plain(message)}`])),
  ];
}

/** Returns what a delta lacks, and whether what was given beside it has all of that. */
function completionLines(delta: NonNullable<Verification['delta']>): string[] {
  if (delta.lacking > 0) return deltaLines(delta);
  return [`  delta: what it lacks, ${sizeWords(delta.absentBytes)}, is in the given archives`];
}

/** Describes the platforms of an image, those that were left out, and its referrers. */
function contentsOf({ platforms, absent, referrers }: Inspection['images'][number]): string {
  const left = absent.length > 0 ? ` without ${[...new Set(absent.map(({ platform }) => platform))].join(', ')}` : '';
  const said = referrers.length > 0 ? `; ${count(referrers.length, 'referrer')}` : '';
  return `${platforms.join(', ')}${left}${said}`;
}

/** Formats one line of `ls`. */
export function listLine({ path, type, size, sha256, target }: ListedEntry): string {
  const kind = { file: '-', dir: 'd', symlink: 'l', other: '?' }[type];
  const digest = sha256 === undefined ? '' : `${sha256}  `;
  const link = target === undefined ? '' : ` -> ${plain(target)}`;
  return `${kind} ${(type === 'file' ? sizeWords(size) : '').padStart(10)}  ${digest}${plain(path)}${type === 'dir' ? '/' : ''}${link}`;
}

/** Shortens a digest to `sha256:` and its first 12 digits. */
function short(digest: string): string {
  return digest.slice(0, digest.indexOf(':') + 13);
}
