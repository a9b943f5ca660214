/** Files of an image that describe packages, by their paths. */
export const packageFiles: Readonly<Record<string, string>> = {
  'lib/apk/db/installed': [
    'C:Q1xyz=\nP:musl\nV:1.2.5-r0\nA:x86_64\nS:383459\nT:the musl c library\nL:MIT\no:musl\nm:Somebody <a@example.com>',
    'F:lib\nR:libc.so\na:0:0:755\n\nP:busybox-binsh\nV:1.36.1-r29\nA:x86_64\nL:GPL-2.0-only\no:busybox\n\n',
  ].join('\n'),
  'var/lib/dpkg/status': [
    'Package: libc6\nStatus: install ok installed\nMaintainer: GNU Libc Maintainers <a@example.com>\nArchitecture: amd64',
    'Source: glibc (2.41-1)\nVersion: 2.41-12\nDepends: libgcc-s1\nDescription: GNU C Library\n Shared libraries\n .\n more',
    '',
    'Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n\n',
  ].join('\n'),
  'app/node_modules/@scope/name/package.json':
    '{"name":"@scope/name","version":"1.2.3","license":{"type":"MIT"},"licenses":[{"type":"ISC"}],"dependencies":{"a":"^1"}}',
  'usr/lib/python3/site-packages/requests-2.32.3.dist-info/METADATA': [
    'Metadata-Version: 2.4\nName: requests\nVersion: 2.32.3\nLicense: Apache-2.0\n        more of it\nLicense-Expression: MIT',
    'Requires-Dist: idna <4,>=2.5\n\n# Requests\n\nA text.\n',
  ].join('\n'),
};

/** The os-release(5) of an image. */
export const osRelease =
  'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nNAME="Debian"\nVERSION_ID="13"\nID=debian\nHOME_URL=\'https://example.com\'\n';

/** Makes the beginning of a Go program: an ELF header, a writable segment, and build information in it. */
export function goProgram(): Buffer {
  const head = Buffer.alloc(256);
  head.write('\x7fELF', 'latin1');
  head.set([2, 1, 1], 4);
  head.writeBigUInt64LE(64n, 32);
  head.writeUInt16LE(56, 54);
  head.writeUInt16LE(1, 56);
  head.writeUInt32LE(1, 64);
  head.writeUInt32LE(6, 68);
  head.writeBigUInt64LE(128n, 72);
  head.writeBigUInt64LE(4096n, 96);
  head.write('\xff Go buildinf:', 128, 'latin1');
  head.set([8, 2], 142);
  const modules =
    'path\texample.com/app\nmod\texample.com/app\tv1.0.0\t\ndep\texample.com/a\tv1.2.3\th1:abc=\n=>\texample.com/b\tv1.2.4\th1:def=\n';
  const framed = Buffer.concat([Buffer.alloc(16, 'a'), Buffer.from(modules), Buffer.alloc(16, 'b')]);
  return Buffer.concat([head.subarray(0, 160), text(Buffer.from('go1.24.1')), text(framed)]);
}

/** Prefixes bytes with their length, a varint. */
function text(bytes: Buffer): Buffer {
  const { length } = bytes;
  return Buffer.concat([Buffer.from(length < 128 ? [length] : [(length & 127) | 128, length >> 7]), bytes]);
}
