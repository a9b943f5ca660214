/** Files that have every field of their format. No two of a format are needed, but where one cannot have all fields at once. */
export const wholeDefinition = `name = "shop"
version = "2.1.0-rc.1+build.5"
sequence = 7
created = 2026-11-20T08:00:00Z
expires = "2036-01-01T00:00:00+01:00"
description = "A shop."
annotations = { "example.com/team" = "shop" }
operator = "registry.example.com:5000/shop/operator:2.1.0"
sbom = "shop.cdx.json"
make-sboms = true
kubernetes = ">=1.29 <1.36"
external-images = ["registry.site.example/*", "nginx:1.27"]
exclusive = ["shop-gateway"]

[upgrade]
from = ">=1.2 <2"
skips = ["1.3.0"]

[requires]
cert-manager = ">=1.12 <2"
"cert-manager.io/v1/Issuer" = "*"

[[any-of]]
postgres-operator = "^1.10"
mysql-operator = "1.x || ~2.3.4"

[recommends]
monitoring = "3.0.0 - 4"

[provides]
shop-gateway = "2.0.0"

[conflicts]
old-checkout = "*"

[replaces]
webshop = "<2"

[[images]]
reference = "registry.example.com/shop/web:2.1.0@sha256:${'0'.repeat(64)}"
source = "oci:images:registry.example.com/shop/web:2.1.0"
platforms = ["linux/amd64", "linux/arm64/v8"]
select = "index"
referrers = false
foreign-layers = "fetch"
keep = true
sbom = "web.spdx.json"

[[components]]
name = "web"
kind = "helm"
path = "oci://registry.example.com/charts/web"
version = "^1.2"
values = ["values.yaml"]
set = { replicas = 2, ingress.enabled = true }
namespace = "shop"
create-namespace = { labels = { "pod-security.kubernetes.io/enforce" = "restricted" } }
timeout = "1h30m"
release = "shop.web"
site-schema = "site.schema.json"
skip-schema-validation = true
keep-drawn = true

[[components]]
name = "database"
kind = "plugin"
path = "database"
after = ["web"]
render = "install"
create-namespace = false

[[components.ready]]
apiVersion = "example.com/v1"
kind = "Database"
name = "main"
namespace = "shop"
cel = "self.status.phase == 'Running'"

[[components.ready]]
apiVersion = "apps/v1"
kind = "StatefulSet"
selector = { "example.com/database" = "main" }
condition = "Available=True"

[[components.ready]]
http = "db/8080/healthz?full=1"
namespace = "shop"

[[components.ready]]
https = "db/metrics"

[[components.ready]]
tcp = "db/5432"

[[components]]
name = "cache"
kind = "registry+v1"
path = "catalog://registry.example.com/catalogs/operators:v1//cache"
channel = "stable"
version = ">=1.4 <2"
`;

/** In the grouped form. */
export const wholeConfiguration = `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata:
  name: edge
  labels: {a: b}
solutions:
  - name: shop
    activeVersion: "^2.1"
    archives: [shop-2.1.0.iso, https://files.example.com/*.iso]
    values:
      web: [site.yaml, {replicas: 3}]
    secrets:
      web:
        - {path: adminPassword, env: WEB_PASSWORD}
        - path: [db, password]
          file: /run/credentials/db
    patches:
      web:
        - path: site-patch.yaml
        - target: {group: apps, version: v1, kind: Deployment, name: web, namespace: shop, labelSelector: app=web, annotationSelector: a=b}
          patch: '[{"op": "replace", "path": "/spec/replicas", "value": 3}]'
          options: {allowNameChange: true, allowKindChange: false}
    keepDrawn: {web: true, db: false}
  - name: guestbook
    activeVersion: latest
    archives: []
    environments:
      team-a: "1.0.0"
      team-b: 1.x
      team-c:
        version: latest
        values: {web: [{host: c.example.com}]}
        secrets:
        patches: {}
        keepDrawn: {web: true}
`;

/** In the flat form. */
export const flatConfiguration = `apiVersion: metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata:
archives:
  - /srv/archives/guestbook-1.0.0.iso
active:
  guestbook: ">=1.0.0 <2"
environments:
  guestbook:
    team-a: {version: "1.0.0"}
  shop:
values: {guestbook: {web: [site.yaml]}}
secrets: {guestbook: {web: [{path: a.b, env: A}]}}
patches: {guestbook: {web: [{path: patch.yaml}]}}
keepDrawn: {guestbook: {web: false}}
`;

const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];

/** In TOML. */
export const wholePolicy = `version = 3
deny = ["sha256:${'0'.repeat(64)}"]

[[keys]]
id = "${first}"
file = "release.pub"
status = "retired"
notBefore = 2026-01-01T00:00:00Z
notAfter = 2100-01-01 00:00:00.5+01:00

[[keys]]
id = "${second}"
pem = """
-----BEGIN PUBLIC KEY-----
"""

[[policies]]
match = "guestbook-*"
keys = ["${first}", "${second}"]
threshold = 2
minSequence = 1
requirePredicates = ["https://cyclonedx.org/bom"]
maxDaysAhead = 0
movesTime = true

[policies.allow]
components = ["manifests", "registry+v1"]
namespaces = ["guestbook", "guestbook-*"]
clusterScoped = ["CustomResourceDefinition.apiextensions.k8s.io", "Namespace", "*"]
images = ["registry.example.com:5000/guestbook/*", "localhost/a", "[::1]:5000/a"]
moveTags = false

[rotation]
keys = ["${first}"]
threshold = 1
`;

/** With a policy; keys of its own are what a profile has instead of one. */
export const wholeProfile = `configuration = "solutions.yaml"
kubeconfig = "/etc/kubernetes/admin.conf"
policy = "policy.toml"

[images]
serve = "http://127.0.0.1:5000"
registry = "https://registry.example.com/solutions"
containerd = "/run/containerd/containerd.sock"
image-folder = "k3s"
image-store = "/var/lib/store"
hosts-dir = "/etc/containerd/certs.d"

[registry]
authfile = "auth.json"
certs-dir = "certs"

[install]
timeout = "10m"
rollback-on-failure = true
keep-generations = 5

[boot]
image = "registry.example.com/solpack/solpack:1.0.0"
parameters = ["site.yaml"]
archives = "/srv/solutions"
server = "10.0.0.1:6443"
schedule = "*/30 * * * *"
`;

/** The form with keys. */
export const profileWithKeys = 'keys = ["release.pub", "security.pub"]\n';
