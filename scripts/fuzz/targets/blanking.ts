import { gzipSync } from 'node:zlib';
import { blankingOf } from '../../../lib/flows/support-bundle/blanking/index.ts';
import { redactor } from '../../../lib/kernel/events/redaction.ts';
import { parsers, type Read } from '../parser.ts';
import type { Random } from '../random.ts';
import { must } from '../violation.ts';

/** Letters that no damaged sample has in this order, so that whoever finds them has found the secret. */
const core = 'Zq7Xw9Kv3Jh5';
/** Secrets with all that has to be written otherwise somewhere. */
const secrets = [core, `${core}/+&<"ß`, `${core} and\n${core}`, `https://user:${core}@example.com/`];

const base64 = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('base64'));
/** The ways in which a program may write what it knows. */
const writers: readonly ((bytes: Buffer) => Buffer)[] = [
  (bytes) => bytes,
  base64,
  (bytes) => Buffer.from(bytes.toString('base64url')),
  (bytes) => base64(base64(bytes)),
  (bytes) => base64(gzipSync(bytes)),
  (bytes) => Buffer.from(JSON.stringify({ value: bytes.toString() })),
  (bytes) => Buffer.from(JSON.stringify(JSON.stringify({ value: bytes.toString() }))),
  (bytes) => Buffer.from(bytes.toString('hex')),
  (bytes) => Buffer.from(encodeURIComponent(bytes.toString())),
];
/** Those of them that what is printed of a log is blanked in. */
const printed = [...writers.slice(0, 3), writers[5]!, writers[8]!];

const log = `2026-01-01T00:00:00Z starting with --password hunter22 and TOKEN=abcdefgh
{"level":"info","data":"eyJhbGciOiJub25lIn0.e30.","authorization":"Bearer abc.def-ghi"}
-----BEGIN PRIVATE KEY-----
MAA=
-----END PRIVATE KEY-----
H4sIAAAAAAAAA0vMKMkvLQEA at postgres://user:word@db:5432/
`;
const objects = JSON.stringify({
  kind: 'Pod',
  spec: { containers: [{ args: ['--token', 'abcdefgh'], env: [{ name: 'PASSWORD', value: 'x' }] }] },
  data: { a: Buffer.from('{"password":"abcdefgh"}').toString('base64') },
});

/** What leaves a machine, in which no secret may be left, whatever stands around it. */
export const blanking = parsers(
  'blanking',
  50,
  'password: ¦token=¦Bearer ¦-----BEGIN PRIVATE KEY-----¦-----END ¦://a:b@¦eyJ¦H4sI¦\\n¦\\"¦%2F¦{"name":"PASSWORD","value":"¦==',
  {
    text: { samples: [log, objects], read: hidden((secret, text) => blankingOf([secret]).text(text), writers) },
    part: { samples: [log, objects], read: hidden((secret, text) => blankingOf([secret]).part(text), printed) },
    log: { samples: [log, objects], read: hidden((secret, text) => redactor([secret])(text), printed) },
    data: { samples: [log, objects], read: readData },
  },
);

/** Hides a secret somewhere in an input, and looks whether it is still there after it was blanked. */
function hidden(blank: (secret: string, text: string) => string, forms: typeof writers): Read {
  return (bytes, random) => {
    const secret = random.pick(secrets);
    const written = random.pick(forms)(Buffer.from(secret)).toString();
    const around = bytes.toString();
    const at = random.below(around.length + 1);
    const shown = blank(secret, `${around.slice(0, at)} ${written} ${around.slice(at)}`);
    must(!shown.includes(core), 'a secret is shown');
    must(written.length < 2 * core.length || !shown.includes(written), 'a secret is shown as it was written');
  };
}

/** The same for a value, which keeps its form. */
function readData(bytes: Buffer, random: Random): void {
  const around = bytes.toString();
  const secret = random.pick(secrets);
  const written = random.pick(printed)(Buffer.from(secret)).toString();
  const shown = blankingOf([secret]).data([around, { [`${around}${written}`]: [written, around] }]);
  must(Array.isArray(shown) && shown.length === 2 && Object.keys(shown[1]).length === 1, 'a value has lost its form');
  must(!JSON.stringify(shown).includes(core), 'a secret is shown in a value');
}
