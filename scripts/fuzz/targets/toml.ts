import { matches, parseRegistriesConf, rewritten } from '../../../formats/oci/registries-conf.ts';
import { addImages } from '../../../formats/solution/add-images.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { encodeLock, parseLock } from '../../../formats/solution/lock.ts';
import { isMend, parseMend } from '../../../formats/trust/mend.ts';
import { parsePolicy } from '../../../formats/trust/parse-policy.ts';
import { endpointsIn } from '../../../lib/parts/mirrors/endpoints-in.ts';
import { isOwnHostsFile, leadsTo, usersOf } from '../../../lib/parts/mirrors/hosts-file.ts';
import { parsers } from '../parser.ts';
import { must } from '../violation.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const id = 'ab'.repeat(32);

const definition = `name = "hello"
version = "1.0.0"
sequence = 3
created = 2026-01-01T00:00:00Z
description = """
several
lines"""
make-sboms = true
[annotations]
"a.b" = 'c'
[[images]]
reference = "example.com/web:1"
source = "oci:images"
platforms = ["linux/amd64", "linux/arm64/v8"]
[[components]]
name = "web"
kind = "helm"
path = "charts/web"
values = [ "values.yaml" ] # comment
namespace = "hello"
timeout = "5m"
[[components]]
name = "db"
kind = "manifests"
path = "db"
after = ["web"]
`;
const lock = `lockVersion = 1
created = 0
root = "${digest}"
[[images]]
reference = "example.com/web:1"
source = "oci:images"
mediaType = "application/vnd.oci.image.index.v1+json"
digest = "${digest}"
platforms = [ "linux/amd64" ]
[[images.referrers]]
subject = "${digest}"
mediaType = "a/b"
digest = "${digest}"
[[components]]
name = "web"
kind = "helm"
digest = "${digest}"
`;
const policy = `version = 1
deny = ["${digest}"]
[[keys]]
id = "${id}"
pem = "-----BEGIN PUBLIC KEY-----"
status = "retired"
notAfter = 2027-01-01T00:00:00Z
[[policies]]
match = "hello-*"
keys = ["${id}"]
threshold = 1
requirePredicates = ["https://slsa.dev/provenance/v1"]
[rotation]
keys = ["${id}"]
threshold = 1
`;
const policyInJson = JSON.stringify({
  version: 1,
  keys: [{ id, file: 'release.pub', notBefore: '2026-01-01T00:00:00Z' }],
  policies: [{ match: '*', keys: [id] }],
});
const mend = `type = "solpack-mend/v1"
[[solutions]]
name = "hello"
from = { sequence = 9, newest = 2100-01-01T00:00:00Z }
to = { sequence = 3 }
`;
const registries = `unqualified-search-registries = ["docker.io"]
[[registry]]
prefix = "*.example.com"
location = "mirror.example.com:5000/x"
insecure = true
[[registry.mirror]]
location = "other.example.com"
pull-from-mirror = "digest-only"
`;
const hosts = `server = "http://127.0.0.1:5000"
[host."http://127.0.0.1:5000"]
  capabilities = ["pull", "resolve"]
  override_path = true
  ca = "solpack-0123456789abcdef.pem"
[host."http://127.0.0.1:5000".header]
  authorization = "Basic bm9kZTpzZWNyZXQ="
`;

/** Files in TOML, and policies in JSON. */
export const toml = parsers(
  'toml',
  80,
  `[[images]]¦[[components]]¦[[keys]]¦[x]¦[a.b.c]¦a.b = 1¦x = {¦x = [¦"""¦'''¦= true¦= 1_000` +
    '¦1979-05-27T07:32:00Z¦1979-05-27¦07:32:00¦0x_f¦inf¦-nan¦1e5¦\\U0010ffff¦\\x¦# ¦\r\n¦name = "',
  {
    definition: { samples: [definition], read: readDefinition },
    lock: { samples: [lock], read: readLock },
    policy: { samples: [policy, policyInJson], read: (bytes) => void parsePolicy(bytes) },
    mend: { samples: [mend], read: readMend },
    registries: { samples: [registries], read: readRegistries },
    hosts: { samples: [hosts], read: (bytes) => readHosts(bytes.toString()) },
  },
);

function readLock(bytes: Buffer): void {
  const value = parseLock(bytes);
  must(
    JSON.stringify(parseLock(encodeLock(value))) === JSON.stringify(value),
    'a lock that was written anew is another',
  );
}

function readMend(bytes: Buffer): void {
  parseMend(bytes);
  must(isMend(bytes), 'a mend is taken for a policy');
}

function readRegistries(bytes: Buffer): void {
  for (const rule of parseRegistriesConf(bytes)) {
    if (matches(rule, 'a.example.com/web')) rewritten(rule, rule, 'a.example.com/web');
  }
}

function readHosts(text: string): void {
  endpointsIn(text);
  leadsTo(text, { url: 'http://127.0.0.1:5000', overridePath: true });
  isOwnHostsFile(text);
  usersOf(text);
}

function readDefinition(bytes: Uint8Array): void {
  const { images, components } = parseDefinition(bytes);
  const name = 'registry.example.com/added:1';
  if (images.some(({ reference }) => reference === name)) return;
  const after = parseDefinition(Buffer.from(addImages(Buffer.from(bytes).toString(), [name])));
  must(after.images.at(-1)?.reference === name && after.images.length === images.length + 1, 'an image was not added');
  must(JSON.stringify(after.components) === JSON.stringify(components), 'components changed with the images');
}
