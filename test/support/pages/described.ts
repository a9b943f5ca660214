import type { ShownDifference } from '../../../cli/view/html/diff-page.ts';
import type { ArchiveDescription, Digest } from '../../../lib/index.ts';

/** Makes a digest of a number. */
export function digestOf(number: number): Digest {
  return `sha256:${number.toString(16).padStart(64, '0')}`;
}

/** Texts that break out of a page which does not escape them, in all ways that HTML has. */
export const hostile = [
  `</title></style></script><script>document.title='broken'</script>`,
  `"><img src=x onerror="document.title='broken'">`,
  `' onmouseover='document.title="broken"`,
  `<!--<svg onload=document.title='broken'>--><![CDATA[`,
  `{{7*7}}\${7*7}&lt;b&gt;&#x3c;b>`,
  `\u202Eevil\u0000\u001b[31mred\u2028`,
];

/**
 * Describes a Solution with so many images, of which four share each base, in which every text is `word` of its number.
 */
export function describedOf(count: number, word: (number: number) => string): ArchiveDescription {
  let number = 0;
  const next = (): string => word(number++);
  const names = Array.from({ length: count }, (_, at) => `registry.example.com/${next()}/image-${at}:1.${at}.0`);
  const contents = (at: number) => [
    ...[1, 2, 3].map((layer) => ({ digest: digestOf(1_000_000 + 10 * (at >> 2) + layer), size: 9_000_000 * layer })),
    ...[1, 2, 3, 4, 5].map((layer) => ({ digest: digestOf(10 * at + layer), size: 1000 * (at + 1) * 3 ** layer })),
  ];
  const component = next();
  const right = { namespace: '*', group: next(), resource: next(), name: next(), verbs: [next(), 'get'] };
  return {
    inspection: {
      ...{ path: next(), name: next(), version: next(), description: next(), root: digestOf(7) },
      ...{ carrier: 'iso', size: 12_345_678_901, sequence: 3, created: 1_700_000_000, expires: 1_800_000_000 },
      kubernetes: next(),
      relations: {
        requires: { [next()]: next() },
        anyOf: [{ [next()]: next() }],
        provides: { [next()]: next() },
        exclusive: [next()],
      },
      closure: { kubernetes: [next()] },
      externalImages: [next()],
      components: [
        { name: component, kind: next(), version: next(), namespace: next(), size: 1234 },
        { name: 'plugin', kind: 'plugin', size: 12 },
      ],
      images: names.map((reference, at) => ({
        ...{ reference, digest: digestOf(500_000 + at), mediaType: next(), size: 60_000_000 + at },
        ...{ platforms: ['linux/amd64', next()], absent: [{ digest: digestOf(at), platform: next() }], referrers: [] },
      })),
      installer: [{ path: next(), digest: digestOf(9), size: 100 }],
      sharedBytes: 123_456_789,
      signatures: [{ slot: 0, algorithm: 'ed25519', keyId: 'ab'.repeat(32) }],
      signatureSlots: 8,
      attestations: [
        {
          name: next(),
          predicateType: next(),
          subject: digestOf(7),
          reference: next(),
          digest: digestOf(8),
          size: 5,
          signed: false,
        },
      ],
      medium: {
        kind: 'metalk8s',
        era: 'manifest',
        faults: [{ path: next(), message: next() }],
        unused: [next()],
        unproved: [],
      },
    },
    images: names.map((reference, at) => ({
      reference,
      contents: contents(at),
      uses: [1, 2, 3, 4].map((use) => ({ component, object: `Deployment/${next()}/web-${use}` })),
    })),
    objects: [{ component, objects: Array.from({ length: count }, () => `ConfigMap ${next()}`) }],
    rights: {
      ...{ path: next(), name: next(), version: next() },
      subjects: [{ subject: next(), rights: [{ ...right, power: next() }, right] }],
      needed: [{ namespace: next(), group: '', resource: next(), verbs: [next()] }],
      unknown: [{ component: next(), reason: next() }],
    },
    packages: {
      sboms: count,
      packages: Array.from({ length: 15 * count }, (_, at) => ({
        ...{ name: `${next()}-${at}`, version: next(), license: next() },
        images: names.slice(at % count, (at % count) + 4),
      })),
    },
  };
}

/** Compares two such Solutions, of which everything that can be different is. */
export function comparisonOf(word: (number: number) => string): ShownDifference {
  let number = 1000;
  const next = (): string => word(number++);
  const [from, to] = [describedOf(2, word), describedOf(2, word)];
  const subject = next();
  const right = { subject, namespace: '*', group: '', resource: 'secrets', name: '*' };
  const packages = (version: string) => ({
    sboms: 1,
    packages: [
      { name: 'zlib', version, images: [next()] },
      { name: 'same', version: '1', license: next(), images: [] },
    ],
  });
  const object = () => ({ component: next(), object: next() });
  const power = 'reads the Secrets of all namespaces';
  return {
    result: {
      same: false,
      from: { path: next(), name: 'own', version: next() },
      to: { path: next(), name: 'own', version: next() },
      kubernetes: '1.34',
      images: {
        added: [{ reference: next(), digest: digestOf(1) }],
        removed: [{ reference: next(), digest: digestOf(2) }],
        changed: [{ reference: next(), from: digestOf(3), to: digestOf(4) }],
      },
      layers: { shared: 1000, new: 500, gone: 200 },
      installer: {
        added: [next()],
        removed: [next()],
        changed: [{ path: next(), from: digestOf(5), to: digestOf(6) }],
      },
      objects: {
        added: [object()],
        removed: [object()],
        changed: [
          {
            ...object(),
            fields: [{ path: next(), from: next(), to: [next()] }, { path: next() }, { path: next(), to: 3 }],
          },
          ...[1, 2, 3, 4].map(() => ({ ...object(), fields: [{ path: 'alike', from: 'x', to: 'y' }] })),
        ],
      },
      definitions: [{ definition: next(), version: next(), path: next(), message: next() }],
      rights: [
        { ...right, resource: next(), verb: next() },
        { ...right, verb: 'get' },
        { ...right, verb: 'list' },
      ],
      unproved: [next()],
    },
    from: { ...from, packages: packages('1.2') },
    to: {
      ...to,
      inspection: { ...to.inspection, signatures: [] },
      rights: { ...to.rights, subjects: [{ subject, rights: [{ ...right, verbs: ['get', 'list'], power }] }] },
      packages: packages('1.3'),
    },
  };
}
